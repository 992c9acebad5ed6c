import { accept, invalid, type Result } from "#core/errors.ts";
import { storedText } from "#core/stored-text.ts";
import { codePoints, hasControlCharacter } from "#core/text.ts";

const NAME_MAX = 200;
const DEFAULT_NAME = "API key";

/** The name of a new key: trimmed, one line of at most 200 characters. Without a name: `API key`. */
export function parseKeyName(text: string | undefined): Result<string> {
  const name = storedText(text ?? "") || DEFAULT_NAME;
  if (hasControlCharacter(name))
    return invalid("`name` has a line break or another control character in it. Take it out.");
  return codePoints(name) <= NAME_MAX
    ? accept(name)
    : invalid(`\`name\` is longer than ${NAME_MAX} characters. Shorten it.`);
}
