import type { Example } from "./example.ts";

const brevo = (event: string, kind: Example["kind"], reason = "server is down"): Example => ({
  name: `${event}: ${reason}`,
  provider: "brevo",
  kind,
  namesMessage: false,
  body: (email) => ({
    event,
    email,
    id: 26224,
    date: "2020-10-09 00:00:00",
    ts: 1604933619,
    "message-id": "<202010090000.12345678901@smtp-relay.mailin.fr>",
    ts_event: 1604933654,
    subject: "My first Transactional",
    "X-Mailin-custom": "some_custom_header",
    sending_ip: "192.0.2.1",
    template_id: 22,
    tags: ["transac_messages"],
    reason,
    ts_epoch: 1604933654,
  }),
});

export const BREVO: readonly Example[] = [
  brevo("hard_bounce", "hard"),
  brevo("hard_bounce", "hard", "550 5.1.1 user unknown"),
  brevo("hard_bounce", "failed", "554 5.7.1 message blocked as spam"),
  brevo("invalid_email", "hard", ""),
  brevo("soft_bounce", "soft"),
  brevo("blocked", "policy"),
  brevo("error", "policy"),
  brevo("complaint", "complaint", ""),
  brevo("spam", "complaint"),
  brevo("unsubscribed", "unsubscribe"),
  brevo("deferred", null),
  brevo("delivered", null),
  brevo("toString", null),
];
