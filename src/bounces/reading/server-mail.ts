import { headerIn, type MailParts } from "./mail-parts.ts";

type Headers = Pick<MailParts, "headers">;

/** Typical senders of reports. */
export const DAEMON =
  /mailer-?daemon|post[-_]?master|mail delivery|mail (?:administrator|system)|system administrator/i;

/** The one that no person has. */
const MAILER_DAEMON = /mailer-?daemon/i;

const returnPath = (mail: Headers): string => headerIn(mail, "return-path") ?? "";

/** No address for reports about itself (RFC 5321, 6.1). Answers of programs have none either (RFC 3834, 3.3). */
const hasNoReturn = (mail: Headers): boolean => returnPath(mail) === "<>";

/** Whether a mail has the form of a report (RFC 6522), or a field that only mail servers write. */
const hasServersForm = (mail: Headers): boolean =>
  (headerIn(mail, "content-type") ?? "").toLowerCase().startsWith("multipart/report") ||
  headerIn(mail, "x-failed-recipients") !== undefined;

/** Whether the name of a mail's sender, or its form, is that of a mail server. */
export const looksLikeServers = (mail: Pick<MailParts, "from" | "headers">): boolean =>
  DAEMON.test(mail.from) || DAEMON.test(returnPath(mail)) || hasServersForm(mail);

/**
 * Whether a mail server wrote a mail: it looks like that, or has no address for reports about itself. Mail of other
 * programs looks like a person's, and people wait for it.
 */
export const isByServer = (mail: Pick<MailParts, "from" | "headers">): boolean =>
  looksLikeServers(mail) || hasNoReturn(mail);

/** The same without the names that people have too: somebody reads the mail of `postmaster`, and may write from there. */
export const isSurelyByServer = (mail: Pick<MailParts, "from" | "headers">): boolean =>
  MAILER_DAEMON.test(mail.from) ||
  MAILER_DAEMON.test(returnPath(mail)) ||
  hasServersForm(mail) ||
  hasNoReturn(mail);
