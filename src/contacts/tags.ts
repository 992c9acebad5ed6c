import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { storedText } from "#core/text/stored-text.ts";
import { isLongerThan, quoted } from "#core/text/text.ts";

const TAGS_MAX = 50;
const TAG_CHARACTERS_MAX = 100;
/** Counts repeated and empty entries too, which are dropped later. Nobody means to send more. */
const ENTRIES_MAX = 1_000;

/**
 * Reads tags: trimmed, empty ones dropped, repeated ones kept once in first-seen order. The limit of 50
 * counts after that, the one of 100 characters in code points (docs/decisions.md "Contacts and consent").
 */
export function parseTags(entries: readonly string[]): Result<string[]> {
  if (entries.length > ENTRIES_MAX) return invalid(`\`tags\` has ${entries.length} entries. Send fewer.`);
  const tags = new Set<string>();
  for (const entry of entries) {
    const tag = storedText(entry);
    if (isLongerThan(tag, TAG_CHARACTERS_MAX)) {
      return invalid(`The tag ${quoted(tag)} is longer than ${TAG_CHARACTERS_MAX} characters. Shorten it.`);
    }
    if (tag !== "") tags.add(tag);
  }
  if (tags.size > TAGS_MAX)
    return invalid(`A contact has at most ${TAGS_MAX} tags; these are ${tags.size}. Send fewer.`);
  return accept([...tags]);
}
