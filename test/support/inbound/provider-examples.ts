/** Events as the providers publish them in their documentation, about a message of ours. */
import type { ProviderReport } from "#bounces/incoming.ts";
import type { Provider } from "#inbound/hooks/provider.ts";

export type Example = {
  readonly name: string;
  readonly provider: Provider;
  readonly kind: ProviderReport["kind"] | null;
  /** Whether the event carries our Message-ID. */
  readonly namesMessage: boolean;
  body(recipient: string, messageId: string): unknown;
};

const sesMail = (recipient: string, messageId: string) => ({
  timestamp: "2016-01-27T14:59:38.237Z",
  source: "john@example.com",
  sourceArn: "arn:aws:ses:us-east-1:888888888888:identity/example.com",
  sourceIp: "127.0.3.0",
  sendingAccountId: "123456789012",
  messageId: "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000",
  destination: [recipient],
  headersTruncated: false,
  headers: [
    { name: "From", value: '"John Doe" <john@example.com>' },
    { name: "To", value: `"Jane Doe" <${recipient}>` },
    { name: "Message-ID", value: messageId },
  ],
  commonHeaders: { from: ["John Doe <john@example.com>"], to: [recipient], messageId },
});

const sesBounce = (
  [bounceType, bounceSubType]: readonly [string, string],
  kind: Example["kind"],
  recipientFields: object = {
    status: "5.1.1",
    action: "failed",
    diagnosticCode: "smtp; 550 5.1.1 ... User unknown",
  },
): Example => ({
  name: `${bounceType} ${bounceSubType}`,
  provider: "ses",
  kind,
  namesMessage: true,
  body: (recipient, messageId) => ({
    notificationType: "Bounce",
    bounce: {
      bounceType,
      reportingMTA: "dns; email.example.com",
      bouncedRecipients: [{ emailAddress: recipient, ...recipientFields }],
      bounceSubType,
      timestamp: "2016-01-27T14:59:38.237Z",
      feedbackId: "00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000",
      remoteMtaIp: "127.0.2.0",
    },
    mail: sesMail(recipient, messageId),
  }),
});

const sesComplaint = (name: string, kind: Example["kind"], fields: object): Example => ({
  name,
  provider: "ses",
  kind,
  namesMessage: true,
  body: (recipient, messageId) => ({
    eventType: "Complaint",
    complaint: {
      userAgent: "AnyCompany Feedback Loop (V0.01)",
      complainedRecipients: [{ emailAddress: recipient }],
      arrivalDate: "2016-01-27T14:59:38.237Z",
      feedbackId: "000001378603177f-18c07c78-fa81-4a58-9dd1-fedc3cb8f49a-000000",
      ...fields,
    },
    mail: sesMail(recipient, messageId),
  }),
});

const ses: readonly Example[] = [
  sesBounce(["Permanent", "General"], "hard"),
  sesBounce(["Permanent", "NoEmail"], "hard"),
  sesBounce(["Permanent", "OnAccountSuppressionList"], "hard", {}),
  sesBounce(["Permanent", "General"], "failed", {
    status: "5.7.1",
    action: "failed",
    diagnosticCode: "smtp; 550 5.7.1 message blocked as spam",
  }),
  sesBounce(["Permanent", "General"], null, { status: "4.4.7", action: "delayed" }),
  sesBounce(["Transient", "MailboxFull"], "soft"),
  sesBounce(["Transient", "ContentRejected"], "policy"),
  sesBounce(["Undetermined", "Undetermined"], "soft"),
  sesComplaint("abuse", "complaint", { complaintFeedbackType: "abuse" }),
  sesComplaint("without a type", "complaint", {}),
  sesComplaint("not spam", null, { complaintFeedbackType: "not-spam" }),
  sesComplaint("on the account's list", null, { complaintSubType: "OnAccountSuppressionList" }),
  {
    name: "delivery",
    provider: "ses",
    kind: null,
    namesMessage: true,
    body: (to, id) => ({
      notificationType: "Delivery",
      mail: sesMail(to, id),
      delivery: { recipients: [to] },
    }),
  },
];

const postmarkBounce = (type: string, kind: Example["kind"], fields: object = {}): Example => ({
  name: type,
  provider: "postmark",
  kind,
  namesMessage: false,
  body: (recipient) => ({
    RecordType: type === "SpamComplaint" ? "SpamComplaint" : "Bounce",
    ID: 42,
    Type: type,
    TypeCode: 1,
    Name: type,
    Tag: "Test",
    MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
    ServerID: 1234,
    MessageStream: "broadcast",
    Description: "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
    Details: "Test bounce details",
    Email: recipient,
    From: "sender@example.com",
    BouncedAt: "2014-08-01T13:28:10.2735393-04:00",
    DumpAvailable: true,
    Inactive: true,
    CanActivate: true,
    Subject: "Test subject",
    ...fields,
  }),
});

const postmarkChange = (name: string, kind: Example["kind"], fields: object): Example => ({
  name,
  provider: "postmark",
  kind,
  namesMessage: false,
  body: (Recipient) => ({
    RecordType: "SubscriptionChange",
    MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
    ServerID: 123456,
    MessageStream: "broadcast",
    ChangedAt: "2020-02-01T10:53:34.416071Z",
    Recipient,
    Origin: "Recipient",
    SuppressSending: true,
    SuppressionReason: "ManualSuppression",
    ...fields,
  }),
});

const postmark: readonly Example[] = [
  postmarkBounce("HardBounce", "hard"),
  postmarkBounce("HardBounce", "failed", { Details: "smtp;552 5.2.2 mailbox full" }),
  postmarkBounce("SoftBounce", "soft"),
  postmarkBounce("Blocked", "policy"),
  postmarkBounce("SpamNotification", "policy"),
  postmarkBounce("SpamComplaint", "complaint"),
  postmarkBounce("AutoResponder", null),
  postmarkBounce("constructor", null),
  postmarkChange("unsubscribed", "unsubscribe", {}),
  postmarkChange("came back", null, { SuppressSending: false, SuppressionReason: null }),
  postmarkChange("by Postmark", null, { SuppressionReason: "HardBounce" }),
];

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

const mailguns: readonly Example[] = [
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

const sendgrids: readonly Example[] = [
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

const brevos: readonly Example[] = [
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

const mailjets: readonly Example[] = [
  mailjet("hard", "hard", { comment: "" }),
  mailjet("hard, but it quotes an unknown host", "failed", {}),
  mailjet("hard, but full", "soft", { error: "quota exceeded", comment: "" }),
  mailjet("soft", "soft", { hard_bounce: false, error: "mailbox inactive" }),
  mailjet("blocked", "policy", { event: "blocked", error_related_to: "mailjet", error: "preblocked" }),
  mailjet("spam", "complaint", { event: "spam", source: "JMRPP" }),
  mailjet("unsub", "unsubscribe", { event: "unsub", mj_list_id: 1, ip: "127.0.0.1", geo: "FR" }),
  mailjet("open", null, { event: "open" }),
];

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

const sparkposts: readonly Example[] = [
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

const resends: readonly Example[] = [
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

export const EXAMPLES: readonly Example[] = [
  ...ses,
  ...postmark,
  ...mailguns,
  ...sendgrids,
  ...brevos,
  ...mailjets,
  ...sparkposts,
  ...resends,
];
