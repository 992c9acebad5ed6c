import type { Example } from "./example.ts";

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

export const SES: readonly Example[] = [
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
