import { invalid, type Refusal } from "#core/errors.ts";
import { parseRelayUrls } from "#mail/smtp/relay-address.ts";
import type { Settings } from "./settings.ts";

/**
 * What is wrong with the relays of a change, in more detail than the setting's kind gives; null if nothing
 * is.
 */
export function checkRelays({ smtpUrl = "" }: Partial<Settings>): Refusal | null {
  const parsed = smtpUrl === "" ? null : parseRelayUrls(smtpUrl);
  if (parsed === null || parsed.ok) return null;
  return invalid(parsed.refusal.message.replace(/^SMTP_URL/, "smtpUrl")).refusal;
}

/** The relays without their passwords, to be shown on a screen. */
export function withoutPasswords(smtpUrl: string): string {
  return smtpUrl.replaceAll(/(?<=\/\/[^\s/?#]*?:)[^\s/?#]*(?=@)/g, "***");
}
