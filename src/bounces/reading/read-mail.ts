import { isAnswer, isAutoReply, isMarkedAnswer, isReceipt } from "./auto-reply.ts";
import { cluesOf, type Clues } from "./clues.ts";
import { deliveryReports } from "./delivery-status.ts";
import { feedbackReport } from "./feedback-report.ts";
import { readParts, type MailParts } from "./mail-parts.ts";
import { isAboutFailure, isFailureBySubject, plainReports } from "./plain-report.ts";
import { oneLineOf, type Report } from "#bounces/report.ts";
import { isByServer, isSurelyByServer, looksLikeServers } from "./server-mail.ts";
import { sesReports } from "./ses-notification.ts";

/** What an incoming mail says, judged only by its bytes. */
export type MailReading = {
  /** One report for each recipient that it names. Empty: it could not be read, or it is no report. */
  readonly reports: readonly Report[];
  /** Whether it looks like a program's mail about another mail, understood or not. */
  readonly isReport: boolean;
  readonly isAutoReply: boolean;
  /** Whether only its words report a failure. Whoever writes a mail can write them. */
  readonly isInWords: boolean;
  /**
   * Whether a program certainly answered: its headers say so, or it is a report that a program seems to have
   * written. A subject alone, and `Auto-Submitted: auto-generated` alone, are not enough: programs send opt-outs
   * for people.
   */
  readonly isAutomatic: boolean;
  /**
   * Whether it may be a person's mail, for a person: it is no report, or it is one only by its words or because of
   * a mail inside it, and no mail server wrote it.
   */
  readonly mayBePersons: boolean;
  /**
   * The same for an address that opts people out, where nobody may be lost. There, a sender such as "postmaster" and
   * words in the text make no report: people write from such addresses too.
   */
  readonly mayAskToLeave: boolean;
  readonly clues: Clues;
  readonly from: string;
  readonly subject: string;
};

/** The result for a mail that cannot be split into parts. */
export const NOTHING_READ: MailReading = {
  reports: [],
  isReport: true,
  isAutoReply: false,
  isInWords: false,
  isAutomatic: false,
  mayBePersons: false,
  mayAskToLeave: false,
  clues: { deliveredTo: [], messageIds: [], returnAddresses: [], feedbackId: null, isAboutReport: false },
  from: "",
  subject: "",
};

const SHOWN_MAX = 200;

/** A complaint in Microsoft's junk reports (JMRP): a plain mail that contains the mail that was complained about. */
const COMPLAINT_SUBJECT = /^complaint about message from /i;

/**
 * Reads a mail: a standard report (RFC 3464), a complaint (RFC 5965), a report in words, or a program's answer. A
 * forwarded report counts as if it had come directly.
 * @throws for a mail beyond the limits of `readParts`
 */
export async function readMail(raw: Uint8Array): Promise<MailReading> {
  const outer = await readParts(raw);
  const mail = innermost(outer);
  const complaint = feedbackReport(mail.feedback) ?? junkReport(mail);
  const standard =
    complaint === null ? [...deliveryReports(mail.status, mail.text), ...sesReports(mail.text)] : [];
  const hasNoForm = complaint === null && standard.length === 0;
  // An answer repeats the subject of our mail, which may be about parcels that come back.
  const answersForPerson = isReceipt(mail) || (isAnswer(mail) && ![mail, outer].some(looksLikeServers));
  const isPlain = hasNoForm && !answersForPerson && isAboutFailure(mail);
  const words = isPlain ? plainReports(mail) : [];
  const isReply = hasNoForm && !isPlain && isAutoReply(mail);
  const reports = complaint === null ? [...standard, ...words] : [complaint];
  const isReport = complaint !== null || isPlain || mail.status.length > 0 || standard.length > 0;
  const mayBePersons = !isReport || isReply || ((isPlain || mail !== outer) && !isByServer(outer));
  return {
    reports: isReply ? [answer(mail)] : reports,
    isReport,
    isAutoReply: isReply,
    isInWords: isPlain,
    isAutomatic: [mail, outer].some(isMarkedAnswer) || (isReport && (isReply || isAutoReply(outer))),
    mayBePersons,
    mayAskToLeave: mayBePersons || (isPlain && !isFailureBySubject(mail) && !isSurelyByServer(outer)),
    clues: withDelivery(cluesOf(mail), cluesOf(outer)),
    from: oneLineOf(outer.from).slice(0, SHOWN_MAX),
    subject: oneLineOf(outer.subject).slice(0, SHOWN_MAX),
  };
}

function innermost(mail: MailParts): MailParts {
  const [inner] = mail.inner;
  return inner === undefined ? mail : innermost(inner);
}

/** A mail's own headers show where it was delivered, even if it forwards another. */
const withDelivery = (clues: Clues, outer: Clues): Clues => ({
  ...clues,
  deliveredTo: [...new Set([...outer.deliveredTo, ...clues.deliveredTo])],
});

const answer = ({ subject }: MailParts): Report => ({
  kind: "auto_reply",
  reason: "AUTO_REPLY",
  status: "",
  words: oneLineOf(subject),
  recipients: [],
});

function junkReport({ subject, returned }: MailParts): Report | null {
  if (returned.length === 0 || !COMPLAINT_SUBJECT.test(subject)) return null;
  return { kind: "complaint", reason: "COMPLAINT", status: "", words: oneLineOf(subject), recipients: [] };
}
