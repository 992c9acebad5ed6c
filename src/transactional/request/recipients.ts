import { parseNameLine } from "#core/text/name-text.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

/**
 * A recipient, who gets a separate message. `email` is in its stored form; `name` is "" if none was given.
 */
export type Addressee = { readonly email: string; readonly name: string };

const RECIPIENTS_MAX = 5;

/**
 * Reads `to`: one address, or an array of 1 to 5 different ones, each a string or `{ email, name }`
 * (docs/decisions.md "Transactional send"). Addresses compare in their stored form, so `Ada@Example.com` and
 * `ada@example.com` are one.
 */
export function parseRecipients(to: unknown): Result<Addressee[]> {
  const entries: unknown[] = Array.isArray(to) ? to : [to];
  if (to === undefined || entries.length === 0)
    return invalid("`to` is required: an address, or an array of 1 to 5 addresses.");
  if (entries.length > RECIPIENTS_MAX)
    return invalid(
      `\`to\` has ${entries.length} recipients; one request takes at most ${RECIPIENTS_MAX}. Send several requests.`,
    );
  const recipients: Addressee[] = [];
  for (const entry of entries) {
    const recipient = parseAddressee(entry);
    if (!recipient.ok) return recipient;
    if (recipients.some(({ email }) => email === recipient.value.email))
      return invalid(`\`to\` names ${quoted(recipient.value.email)} twice. Name every recipient once.`);
    recipients.push(recipient.value);
  }
  return accept(recipients);
}

function parseAddressee(entry: unknown): Result<Addressee> {
  const { email, name = "" } = typeof entry === "string" ? { email: entry } : membersOf(entry);
  if (typeof email !== "string")
    return invalid(
      "Every entry of `to` must be an address, or an object with `email` and an optional `name`.",
    );
  const address = parseEmailAddress(email);
  if (!address.ok) return invalid(`\`to\`: ${address.refusal.message}`);
  const line = parseNameLine("to.name", name ?? "");
  return line.ok ? accept({ email: address.value, name: line.value }) : line;
}

const membersOf = (entry: unknown): { email?: unknown; name?: unknown } =>
  typeof entry === "object" && entry !== null ? entry : {};
