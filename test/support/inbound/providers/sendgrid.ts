import type { Example } from "./example.ts";

const sendgrid = (name: string, kind: Example["kind"], fields: object): Example => ({
  name,
  provider: "sendgrid",
  kind,
  namesMessage: true,
  body: (email, messageId) => [
    {
      email,
      timestamp: 1513299569,
      "smtp-id": messageId,
      event: "bounce",
      category: "cat facts",
      sg_event_id: "6g4ZI7SA-xmRDv57GoPIPw==",
      sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
      reason: "500 unknown recipient",
      status: "5.0.0",
      ...fields,
    },
  ],
});

export const SENDGRID: readonly Example[] = [
  sendgrid("bounce", "hard", { type: "bounce" }),
  sendgrid("bounce, invalid address", "hard", { type: "bounce", bounce_classification: "Invalid Address" }),
  sendgrid("bounce of a mailbox", "soft", { type: "bounce", bounce_classification: "Mailbox Unavailable" }),
  sendgrid("bounce by reputation", "policy", { type: "bounce", bounce_classification: "Reputation" }),
  sendgrid("blocked", "policy", { type: "blocked" }),
  sendgrid("bounce that quotes a block", "failed", {
    type: "bounce",
    reason: "550 5.7.1 blocked using spamhaus",
    status: "5.7.1",
  }),
  sendgrid("dropped", "hard", { event: "dropped", reason: "Bounced Address", status: "5.0.0" }),
  sendgrid("dropped after a complaint", "complaint", { event: "dropped", reason: "Spam Reporting Address" }),
  sendgrid("dropped after an opt-out", "unsubscribe", { event: "dropped", reason: "Unsubscribed Address" }),
  sendgrid("dropped for its content", "policy", { event: "dropped", reason: "Spam Content" }),
  sendgrid("spamreport", "complaint", { event: "spamreport" }),
  sendgrid("unsubscribe", "unsubscribe", { event: "unsubscribe" }),
  sendgrid("deferred", null, { event: "deferred", response: "400 try again later", attempt: "5" }),
  sendgrid("open", null, { event: "open" }),
];
