import { asciiText } from "#mail/mime/ascii.ts";
import { withFieldBefore, type FinishedMessage } from "#mail/mime/finished-message.ts";
import { field } from "#mail/mime/headers.ts";

/** Has the same value as the Message-ID, for reports from behind relays that replace the Message-ID with their own. */
export const MESSAGE_FIELD = "X-Postrider-Message";

/** The fields that identify the message. `messageId` has no angle brackets. */
export const messageIdFields = (messageId: string): string =>
  field("Message-ID", `<${messageId}>`) +
  field(MESSAGE_FIELD, messageId.slice(0, messageId.lastIndexOf("@")));

type Provider = {
  /** Its relays. */
  readonly host: RegExp;
  /** The field of the mail that its reports have in place of our Message-ID, with our value. Null: they have ours. */
  readonly returns: ((own: string) => string) | null;
  /** The fields that it writes anew, in lower case. */
  readonly replaces: readonly string[];
};

const asItIs =
  (name: string) =>
  (own: string): string =>
    field(name, own);

const asJson =
  (name: string, member: string) =>
  (own: string): string =>
    field(name, JSON.stringify({ [member]: { postrider: own } }));

/**
 * Providers whose relays put their own Message-ID into our mail, or do not return ours. Amazon SES: "Manual DKIM
 * signing"; Resend sends by it. SendGrid returns the Message-ID only of what failed ("Event Webhook Reference"), and
 * what stands in "Unique Arguments" always. SparkPost returns no Message-ID, but metadata ("SMTP API").
 */
const PROVIDERS: readonly Provider[] = [
  {
    host: /(?:^|\.)email-smtp(?:-fips)?\.(?:[a-z0-9-]+\.){1,3}(?:amazonaws\.com(?:\.cn)?|api\.aws)$/,
    returns: null,
    replaces: ["message-id", "date"],
  },
  { host: /(?:^|\.)resend\.com$/, returns: null, replaces: ["message-id", "date"] },
  {
    host: /(?:^|\.)(?:brevo|sendinblue)\.com$/,
    returns: asItIs("X-Mailin-custom"),
    replaces: ["message-id"],
  },
  {
    host: /(?:^|\.)postmarkapp\.com$/,
    returns: asItIs("X-PM-Metadata-postrider"),
    replaces: ["message-id"],
  },
  { host: /(?:^|\.)mailjet\.com$/, returns: asItIs("X-MJ-CustomID"), replaces: ["message-id"] },
  { host: /(?:^|\.)sendgrid\.net$/, returns: asJson("X-SMTPAPI", "unique_args"), replaces: [] },
  {
    host: /(?:^|\.)sparkpost(?:mail|elite)?\.com$/,
    returns: asJson("X-MSYS-API", "metadata"),
    replaces: [],
  },
];

const providerAt = (host: string): Provider | undefined => PROVIDERS.find((one) => one.host.test(host));

/** The fields that the relay at this host writes anew: a signature must not cover them. */
export const replacedBy = (host: string): readonly string[] => providerAt(host)?.replaces ?? [];

/** `MESSAGE_FIELD` is always in the header, and no letter reaches this length before it. */
const HEADER_CHARACTERS_MAX = 64 * 1024;
const OWN = new RegExp(`^${MESSAGE_FIELD}: ([0-9a-f]{1,64})\\r$`, "m");

/**
 * The message as the relay at this host gets it: with the field that its provider returns. It has the value of
 * `MESSAGE_FIELD`. Do not use the given message any more.
 */
export function returnedBy(host: string, message: FinishedMessage): FinishedMessage {
  const returns = providerAt(host)?.returns ?? null;
  if (returns === null) return message;
  const { bytes } = message;
  const header = asciiText(typeof bytes === "string" ? bytes : bytes.subarray(0, HEADER_CHARACTERS_MAX));
  const [, own] = OWN.exec(header.slice(0, HEADER_CHARACTERS_MAX)) ?? [];
  return own === undefined ? message : withFieldBefore(message, returns(own));
}
