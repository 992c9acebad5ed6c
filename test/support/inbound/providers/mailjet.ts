import type { Example } from "./example.ts";

const mailjet = (name: string, kind: Example["kind"], fields: object): Example => ({
  name,
  provider: "mailjet",
  kind,
  namesMessage: false,
  body: (email) => [
    {
      event: "bounce",
      time: 1430812195,
      MessageID: 13792286917004336,
      Message_GUID: "1ab23cd4-e567-8901-2345-6789f0gh1i2j",
      email,
      mj_campaign_id: 0,
      mj_contact_id: 0,
      customcampaign: "",
      CustomID: "helloworld",
      Payload: "",
      blocked: false,
      hard_bounce: true,
      error_related_to: "recipient",
      error: "user unknown",
      comment:
        "Host or domain name not found. Name service error for name=lbjsnrftlsiuvbsren.com type=A: Host not found",
      ...fields,
    },
  ],
});

export const MAILJET: readonly Example[] = [
  mailjet("hard", "hard", { comment: "" }),
  mailjet("hard, but it quotes an unknown host", "failed", {}),
  mailjet("hard, but full", "soft", { error: "quota exceeded", comment: "" }),
  mailjet("soft", "soft", { hard_bounce: false, error: "mailbox inactive" }),
  mailjet("blocked", "policy", { event: "blocked", error_related_to: "mailjet", error: "preblocked" }),
  mailjet("spam", "complaint", { event: "spam", source: "JMRPP" }),
  mailjet("unsub", "unsubscribe", { event: "unsub", mj_list_id: 1, ip: "127.0.0.1", geo: "FR" }),
  mailjet("open", null, { event: "open" }),
];
