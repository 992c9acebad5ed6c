/** What a mail provider would post about a bounce mail of the corpus: its own judgment, and the reply that it quotes. */
import type { Provider } from "#inbound/hooks/provider.ts";
import type { CorpusMail } from "./bounce-corpus.ts";

/** How a provider judged a mail. */
export type Judgment = "hard" | "soft" | "complaint";

type Quoted = {
  readonly email: string;
  readonly messageId: string;
  /** The other server's enhanced status and its words, as the mail has them. */
  readonly status: string;
  readonly words: string;
  readonly raw: string;
};

export function quoted({ raw, reading }: CorpusMail, email: string, messageId: string): Quoted {
  const [report] = reading.reports;
  const { status = "", words = "" } = report ?? {};
  return { email, messageId, status, words, raw: raw.toString("latin1") };
}

type EventOf = (judgment: Judgment, quoted: Quoted) => unknown;

const ses: EventOf = (judgment, { email, messageId, status, words }) => {
  const mail = { destination: [email], headers: [{ name: "Message-ID", value: messageId }] };
  if (judgment === "complaint")
    return {
      notificationType: "Complaint",
      complaint: { complainedRecipients: [{ emailAddress: email }] },
      mail,
    };
  const recipient = { emailAddress: email, action: "failed", status: status || undefined };
  const bounce = {
    bounceType: judgment === "hard" ? "Permanent" : "Transient",
    bounceSubType: "General",
    bouncedRecipients: [{ ...recipient, diagnosticCode: words || undefined }],
  };
  return { notificationType: "Bounce", bounce, mail };
};

/** Some providers replace our Message-ID, and return the field that they get of us. */
const valueOf = (messageId: string): string => messageId.slice(1, messageId.indexOf("@"));

/** With the bounce itself, in which the returned mail is ours. */
const postmark: EventOf = (judgment, { email, messageId, words, raw }) => ({
  RecordType: judgment === "complaint" ? "SpamComplaint" : "Bounce",
  Type: { hard: "HardBounce", soft: "SoftBounce", complaint: "SpamComplaint" }[judgment],
  Description: "The server was unable to deliver your message.",
  Details: words,
  Email: email,
  Content: `${raw}\r\nX-Postrider-Message: ${valueOf(messageId)}\r\nMessage-ID: <883953f4@mtasv.net>\r\n`,
});

const mailgun: EventOf = (judgment, { email, messageId, status, words }) => ({
  "event-data": {
    event: judgment === "complaint" ? "complained" : "failed",
    severity: judgment === "hard" ? "permanent" : "temporary",
    reason: "generic",
    recipient: email,
    message: { headers: { "message-id": messageId.slice(1, -1) } },
    "delivery-status": { code: replyCodeIn(words), "enhanced-code": status, message: words, description: "" },
  },
});

const replyCodeIn = (words: string): number =>
  Number(/(?<![0-9.])[45]\d\d(?![0-9.])/.exec(words)?.[0] ?? 605);

const sendgrid: EventOf = (judgment, { email, messageId, status, words }) => [
  {
    email,
    "smtp-id": messageId,
    event: judgment === "complaint" ? "spamreport" : "bounce",
    type: "bounce",
    ...(judgment === "soft" ? { bounce_classification: "Mailbox Unavailable" } : {}),
    reason: words,
    status,
  },
];

const brevo: EventOf = (judgment, { email, messageId, words }) => ({
  event: { hard: "hard_bounce", soft: "soft_bounce", complaint: "spam" }[judgment],
  email,
  "message-id": "<202611271947.12345678901@smtp-relay.mailin.fr>",
  "X-Mailin-custom": valueOf(messageId),
  reason: words,
});

const mailjet: EventOf = (judgment, { email, words }) => [
  judgment === "complaint"
    ? { event: "spam", email, source: "JMRPP" }
    : { event: "bounce", email, hard_bounce: judgment === "hard", error: "", comment: words },
];

const sparkpost: EventOf = (judgment, { email, words }) => [
  {
    msys: {
      message_event: {
        type: judgment === "complaint" ? "spam_complaint" : "out_of_band",
        bounce_class: judgment === "hard" ? "10" : "20",
        rcpt_to: email,
        raw_reason: words,
      },
    },
  },
];

const resend: EventOf = (judgment, { email, messageId, words }) => ({
  type: judgment === "complaint" ? "email.complained" : "email.bounced",
  data: {
    to: [email],
    headers: [{ name: "Message-ID", value: messageId }],
    bounce: { message: words, type: judgment === "hard" ? "Permanent" : "Transient", subType: "General" },
  },
});

export const CORPUS_EVENTS: Readonly<Record<Provider, EventOf>> = {
  ses,
  postmark,
  mailgun,
  sendgrid,
  brevo,
  mailjet,
  sparkpost,
  resend,
};
