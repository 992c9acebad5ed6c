import type { ProviderReport } from "#bounces/incoming.ts";
import { fieldsOf, textOf, type Fields } from "#core/request/loose-json.ts";
import { MESSAGE_FIELD } from "#mail/letter/message-id.ts";
import { kindIn, lineOf, oursIn, reportOf, type Kinds } from "#inbound/hooks/report.ts";

/**
 * Postmark ("Bounce webhook", "Spam complaint webhook", "Subscription change webhook"). `Type` of a bounce:
 *
 * | Type | means |
 * |---|---|
 * | `HardBounce`, `BadEmailAddress` | hard |
 * | `SoftBounce`, `Transient`, `DnsError`, `Unknown` | soft |
 * | `SpamComplaint` | complaint |
 * | `Unsubscribe` | unsubscribe |
 * | `SpamNotification`, `VirusNotification`, `Blocked`, `DMARCPolicy`, `SMTPApiError`, `TemplateRenderingFailed` | policy |
 * | any other, such as `AutoResponder` or `ManuallyDeactivated` | nothing |
 *
 * A change of subscription counts if the reader stopped the mail (`ManualSuppression` by `Recipient`). Other
 * reasons come as a bounce or complaint of their own.
 *
 * `MessageID` is Postmark's own, which it puts into our mail in place of our Message-ID. Ours is in `Metadata`
 * (`returnedBy`), and with "Include bounce content" among the headers that came back: in our own field, or as the
 * Message-ID where Postmark was told to keep it.
 */
export function readPostmark(body: unknown): ProviderReport[] {
  const event = fieldsOf(body);
  if (event["RecordType"] === "SubscriptionChange") return subscriptionChange(event);
  const kind = kindIn(KINDS, textOf(event["Type"]));
  if (!kind) return [];
  const about = { recipient: event["Email"], messageId: ownId(event) };
  return [reportOf(kind, about, { diagnostic: lineOf(event["Details"], event["Description"]) })];
}

const KINDS: Kinds = {
  HardBounce: "hard",
  BadEmailAddress: "hard",
  SoftBounce: "soft",
  Transient: "soft",
  DnsError: "soft",
  Unknown: "soft",
  SpamComplaint: "complaint",
  Unsubscribe: "unsubscribe",
  SpamNotification: "policy",
  VirusNotification: "policy",
  Blocked: "policy",
  DMARCPolicy: "policy",
  SMTPApiError: "policy",
  TemplateRenderingFailed: "policy",
};

function subscriptionChange(event: Fields): ProviderReport[] {
  const isReaders =
    event["SuppressSending"] === true &&
    event["SuppressionReason"] === "ManualSuppression" &&
    event["Origin"] === "Recipient";
  if (!isReaders) return [];
  const about = { recipient: event["Recipient"], messageId: ownId(event) };
  return [reportOf("unsubscribe", about, { diagnostic: "ManualSuppression" })];
}

const CONTENT_CHARACTERS_MAX = 64 * 1024;
const OWN_FIELD = new RegExp(`^[> \\t]{0,8}${MESSAGE_FIELD}:[ \\t]{0,8}([^\\s]{1,300})`, "im");
const MESSAGE_ID = /^Message-ID:[ \t]{0,8}(<[^<>\s]{1,250}>)/gim;

function ownId({ Metadata, Content }: Fields): string {
  const quoted = textOf(Content).slice(0, CONTENT_CHARACTERS_MAX);
  // The last Message-ID, because the first belongs to the report itself.
  const [, messageId] = [...quoted.matchAll(MESSAGE_ID)].at(-1) ?? [];
  return oursIn(fieldsOf(Metadata)["postrider"], OWN_FIELD.exec(quoted)?.[1], messageId);
}
