import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { hasControlCharacter, isLongerThan, quoted } from "#core/text/text.ts";
import type { ExtraHeader } from "#mail/letter/single/transactional-mail.ts";
import { steeredRelay } from "./steering-headers.ts";

const NAME = /^X-[A-Za-z0-9-]{1,74}$/i;
const VALUE_MAX = 998;
const COUNT_MAX = 50;

/**
 * Reads `headers`: an object of header fields whose names start with `X-`. No name may come twice, in any
 * case.
 */
export function parseExtraHeaders(value: unknown): Result<ExtraHeader[]> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalid("`headers` must be an object of names and values.");
  const names = Object.keys(value).length;
  // Checked before the names are read: there may be a hundred thousand.
  if (names > COUNT_MAX)
    return invalid(`\`headers\` has ${names} fields; a message takes at most ${COUNT_MAX}.`);
  const headers: ExtraHeader[] = [];
  for (const [name, text] of Object.entries(value)) {
    const header = parseExtraHeader(name, text);
    if (!header.ok) return header;
    if (headers.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      return invalid(`\`headers\` has ${quoted(name)} twice. Give it once.`);
    headers.push(header.value);
  }
  return accept(headers);
}

function parseExtraHeader(name: string, value: unknown): Result<ExtraHeader> {
  if (!NAME.test(name)) return invalid(`\`headers\` takes only names like X-Order-Id, not ${quoted(name)}.`);
  const relay = steeredRelay(name);
  if (relay !== null)
    return invalid(
      `\`headers\` does not take ${quoted(name)}: ${relay} reads it as an order. Use the fields of this request.`,
    );
  if (
    typeof value !== "string" ||
    value.trim() === "" ||
    isLongerThan(value, VALUE_MAX) ||
    hasControlCharacter(value)
  )
    return invalid(
      `The value of the header ${quoted(name)} must be one line of 1 to ${VALUE_MAX} characters.`,
    );
  return accept({ name, value: value.trim() });
}
