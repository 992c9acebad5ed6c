import { headerIn, type MailParts } from "./mail-parts.ts";

/** How out-of-office programs begin their subjects, for mails that nothing else identifies as automatic. */
const SUBJECT =
  /^\s*(?:(?:re|aw|sv): ?)?(?:auto(?:matic|mated)?[ -]?(?:reply|response|antwort)|out of (?:the )?office|away (?:from|until)|abwesenheit|automatische antwort|r.ponse automatique|respuesta autom.tica|risposta automatica|resposta autom.tica|automatisch antwoord|自動応答|不在)/i;

const header = (mail: MailParts, name: string): string => headerIn(mail, name)?.toLowerCase() ?? "";

/** Fields that only programs write that answer for somebody. */
const ANSWER_FIELDS = [
  "x-autoreply",
  "x-autorespond",
  "x-auto-response",
  // Exchange, of what a mailbox's rules send: out of office.
  "x-ms-exchange-inbox-rules-loop",
];

const RECEIPT = /^multipart\/report\b.*\breport-type\s*=\s*"?disposition-notification\b/;

/**
 * Whether a mail says that somebody read another one, or deleted it unread (RFC 8098). It has the form of a report, but
 * a person's program writes it, and repeats the subject. A signature, or a gateway, may be around that form.
 */
export const isReceipt = (mail: MailParts): boolean =>
  mail.hasDisposition || RECEIPT.test(header(mail, "content-type"));

const submitted = (mail: MailParts): string => header(mail, "auto-submitted").split(/[\s;(]/, 1)[0] ?? "";

/** Whether a mail says in its headers that a program wrote it in answer to another one (RFC 3834, 5). */
export const isMarkedAnswer = (mail: MailParts): boolean =>
  submitted(mail) === "auto-replied" ||
  isReceipt(mail) ||
  ANSWER_FIELDS.some((name) => header(mail, name) !== "") ||
  header(mail, "x-apple-action") === "vacation" ||
  ["auto_reply", "auto-reply"].includes(header(mail, "precedence"));

/** Whether a mail answers another one for somebody, by its headers or only by its subject. */
export const isAnswer = (mail: MailParts): boolean => isMarkedAnswer(mail) || SUBJECT.test(mail.subject);

/** Whether a program seems to have written a mail, not a person: by its headers, or only by its subject. */
export const isAutoReply = (mail: MailParts): boolean =>
  !["", "no"].includes(submitted(mail)) || isAnswer(mail);
