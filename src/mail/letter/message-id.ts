import { asciiText } from "#mail/mime/ascii.ts";
import { withFieldBefore, type FinishedMessage } from "#mail/mime/finished-message.ts";
import { field } from "#mail/mime/headers.ts";

/** Has the same value as the Message-ID, for reports from behind relays that replace the Message-ID with their own. */
export const MESSAGE_FIELD = "X-Postrider-Message";

/** The fields that identify the message. `messageId` has no angle brackets. */
export const messageIdFields = (messageId: string): string =>
  field("Message-ID", `<${messageId}>`) +
  field(MESSAGE_FIELD, messageId.slice(0, messageId.lastIndexOf("@")));

/** Providers that do not return our Message-ID in their reports, but this field of the mail. */
const RETURNED: readonly (readonly [host: RegExp, name: string])[] = [
  [/(?:^|\.)(?:brevo|sendinblue)\.com$/, "X-Mailin-custom"],
  [/(?:^|\.)postmarkapp\.com$/, "X-PM-Metadata-postrider"],
  [/(?:^|\.)mailjet\.com$/, "X-MJ-CustomID"],
];

/** `MESSAGE_FIELD` is always in the header, and no letter reaches this length before it. */
const HEADER_CHARACTERS_MAX = 64 * 1024;
const OWN = new RegExp(`^${MESSAGE_FIELD}: ([0-9a-f]{1,64})\\r$`, "m");

/**
 * The message as the relay at this host gets it: with the field that its provider returns. It has the value of
 * `MESSAGE_FIELD`. Do not use the given message any more.
 */
export function returnedBy(host: string, message: FinishedMessage): FinishedMessage {
  const name = RETURNED.find(([known]) => known.test(host))?.[1];
  if (name === undefined) return message;
  const { bytes } = message;
  const header = asciiText(typeof bytes === "string" ? bytes : bytes.subarray(0, HEADER_CHARACTERS_MAX));
  const [, own] = OWN.exec(header.slice(0, HEADER_CHARACTERS_MAX)) ?? [];
  return own === undefined ? message : withFieldBefore(message, field(name, own));
}
