import type { Example } from "./example.ts";

const sparkpost = (
  name: string,
  kind: Example["kind"],
  fields: object,
  family = "message_event",
): Example => ({
  name,
  provider: "sparkpost",
  kind,
  namesMessage: false,
  body: (rcpt_to) => [
    {
      msys: {
        [family]: {
          type: "bounce",
          bounce_class: "10",
          campaign_id: "Example Campaign Name",
          customer_id: "1",
          delv_method: "esmtp",
          error_code: "550",
          event_id: "92356927693813856",
          message_id: "000443ee14578172be22",
          msg_from: "sender@example.com",
          raw_reason: "MAIL REFUSED - IP (17.99.99.99) is in black list",
          raw_rcpt_to: rcpt_to,
          rcpt_to,
          reason: "MAIL REFUSED - IP (a.b.c.d) is in black list",
          timestamp: "1454442600",
          transmission_id: "65832150921904138",
          ...fields,
        },
      },
    },
  ],
});

const UNKNOWN = { raw_reason: "550 5.1.1 <user>: Recipient address rejected: User unknown", reason: "" };

export const SPARKPOST: readonly Example[] = [
  sparkpost("bounce 10", "hard", UNKNOWN),
  sparkpost("bounce 30, out of band", "hard", { type: "out_of_band", bounce_class: "30", ...UNKNOWN }),
  sparkpost("bounce 10 that quotes a block", "failed", {}),
  sparkpost("bounce 22", "soft", { bounce_class: "22" }),
  sparkpost("bounce 1", "soft", { bounce_class: "1" }),
  sparkpost("bounce 51", "policy", { bounce_class: "51" }),
  sparkpost("bounce 60", null, { bounce_class: "60" }),
  sparkpost("bounce 90", "unsubscribe", { bounce_class: "90" }),
  sparkpost("spam_complaint", "complaint", {
    type: "spam_complaint",
    fbtype: "abuse",
    report_by: "server.email.com",
  }),
  sparkpost("no spam after all", null, { type: "spam_complaint", fbtype: "not-spam" }),
  sparkpost("list_unsubscribe", "unsubscribe", { type: "list_unsubscribe" }, "unsubscribe_event"),
  sparkpost("policy_rejection", "policy", { type: "policy_rejection" }),
  sparkpost("delay", null, { type: "delay" }),
  { name: "ping", provider: "sparkpost", kind: null, namesMessage: false, body: () => [{ msys: {} }] },
];
