import type { Example } from "./example.ts";

const resend = (name: string, kind: Example["kind"], type: string, data: object = {}): Example => ({
  name,
  provider: "resend",
  kind,
  namesMessage: false,
  body: (recipient) => ({
    type,
    created_at: "2024-11-22T23:41:12.126Z",
    data: {
      created_at: "2024-11-22T23:41:11.894719+00:00",
      email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
      from: "Acme <onboarding@resend.dev>",
      to: [recipient],
      subject: "Sending this example",
      ...data,
    },
  }),
});

const bounce = (type: string, subType: string) => ({
  bounce: { message: "The recipient's email address could not be reached.", type, subType },
});

export const RESEND: readonly Example[] = [
  resend("bounced", "hard", "email.bounced", {
    bounce: {
      message: "The recipient's email provider sent a hard bounce message, but didn't specify the reason.",
    },
  }),
  resend("permanent", "hard", "email.bounced", bounce("Permanent", "Suppressed")),
  resend("transient", "soft", "email.bounced", bounce("Transient", "MailboxFull")),
  resend("undetermined", "soft", "email.bounced", bounce("Undetermined", "Undetermined")),
  resend("content", "policy", "email.bounced", bounce("Transient", "ContentRejected")),
  resend("complained", "complaint", "email.complained"),
  resend("failed", "policy", "email.failed", { failed: { reason: "reached_daily_quota" } }),
  resend("suppressed", "policy", "email.suppressed", {
    suppressed: { message: "It is on the account-level suppression list.", type: "OnAccountSuppressionList" },
  }),
  resend("delayed", null, "email.delivery_delayed"),
  resend("delivered", null, "email.delivered"),
];
