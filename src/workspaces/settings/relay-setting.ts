import { invalid, type Refusal } from "#core/errors/errors.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";

/** What is wrong with relays, in more detail than the setting's kind gives; null if nothing is. */
export function checkRelays(smtpUrl: string): Refusal | null {
  const parsed = smtpUrl === "" ? null : parseRelayUrls(smtpUrl);
  if (parsed === null || parsed.ok) return null;
  return invalid(`smtpUrl, ${parsed.refusal.message}`).refusal;
}
