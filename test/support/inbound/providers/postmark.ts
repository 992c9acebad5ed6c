import type { Example } from "./example.ts";

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

export const POSTMARK: readonly Example[] = [
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
