import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

const ADDRESSES_MAX = 10;

/** Reads `to` of a test: an address, or 1 to 10 different ones. They are returned in their stored form. */
export function parseTestAddresses(to: unknown): Result<string[]> {
  const entries: unknown[] = Array.isArray(to) ? to : [to];
  if (to === undefined || to === null || entries.length === 0)
    return invalid("`to` is required: an address, or an array of 1 to 10 addresses.");
  if (entries.length > ADDRESSES_MAX)
    return invalid(`\`to\` has ${entries.length} addresses; a test goes to at most ${ADDRESSES_MAX}.`);
  const addresses: string[] = [];
  for (const entry of entries) {
    if (typeof entry !== "string") return invalid("Every entry of `to` must be an address.");
    const address = parseEmailAddress(entry);
    if (!address.ok) return invalid(`\`to\`: ${address.refusal.message}`);
    if (addresses.includes(address.value))
      return invalid(`\`to\` names ${quoted(address.value)} twice. Name every address once.`);
    addresses.push(address.value);
  }
  return accept(addresses);
}
