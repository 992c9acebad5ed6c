import type { Example } from "./example.ts";

const mailgun = (name: string, kind: Example["kind"], fields: object, said: object = {}): Example => ({
  name,
  provider: "mailgun",
  kind,
  namesMessage: true,
  body: (recipient, messageId) => ({
    signature: {
      timestamp: "1529006854",
      token: "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0",
      signature: "",
    },
    "event-data": {
      event: "failed",
      id: "G9Bn5sl1TC6nu79C8C0bwg",
      timestamp: 1521233195.375624,
      "log-level": "error",
      severity: "permanent",
      reason: "bounce",
      recipient,
      "recipient-domain": "example.com",
      "delivery-status": {
        "attempt-no": 1,
        code: 550,
        "enhanced-code": "5.1.1",
        message: "5.1.1 The email account that you tried to reach does not exist",
        description: "",
        "session-seconds": 0.43,
        ...said,
      },
      message: {
        headers: { to: recipient, "message-id": messageId.replace(/^<|>$/g, ""), from: "bob@example.org" },
        size: 111,
      },
      ...fields,
    },
  }),
});

export const MAILGUN: readonly Example[] = [
  mailgun("permanent", "hard", {}),
  mailgun(
    "on its list of bounces",
    "hard",
    { reason: "suppress-bounce" },
    {
      code: 605,
      "enhanced-code": "",
      message: "",
      description: "Not delivering to previously bounced address",
    },
  ),
  mailgun(
    "permanent, but the mailbox is full",
    "failed",
    {},
    {
      code: 552,
      "enhanced-code": "5.2.2",
      message: "5.2.2 The email account that you tried to reach is over quota",
    },
  ),
  mailgun("temporary", null, { severity: "temporary", reason: "generic" }),
  mailgun("gave up", "soft", { reason: "old" }),
  mailgun("blocked", "policy", { reason: "espblock" }),
  mailgun("complained before", "complaint", { reason: "suppress-complaint" }),
  mailgun("complained", "complaint", { event: "complained", severity: undefined }),
  mailgun("unsubscribed", "unsubscribe", { event: "unsubscribed", severity: undefined }),
  mailgun("delivered", null, { event: "delivered" }),
];
