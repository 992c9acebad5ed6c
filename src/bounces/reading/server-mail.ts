import type { MailParts } from "./mail-parts.ts";

/** Typical senders of reports. */
export const DAEMON =
  /mailer-?daemon|post[-_]?master|mail delivery|mail (?:administrator|system)|system administrator/i;

/**
 * Whether a mail server wrote a mail: it has the sender of one, no address for reports about itself (RFC 5321, 6.1),
 * the form of a report (RFC 6522), or a field that only servers write. Mail of other programs looks like a person's, and people wait for it.
 */
export function isByServer({ from, headers }: Pick<MailParts, "from" | "headers">): boolean {
  const valueOf = (name: string) => headers.find(([key]) => key === name)?.[1].trim();
  const returnPath = valueOf("return-path") ?? "";
  return (
    DAEMON.test(from) ||
    DAEMON.test(returnPath) ||
    returnPath === "<>" ||
    (valueOf("content-type") ?? "").toLowerCase().startsWith("multipart/report") ||
    valueOf("x-failed-recipients") !== undefined
  );
}
