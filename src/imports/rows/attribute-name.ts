import { isAttributeName } from "#attributes/attribute.ts";

const CHARACTERS_MAX = 64;
/** Normalizing takes quadratic time if all characters are combining marks. */
const READ_CHARACTERS_MAX = 1_000;
const COMBINING_MARK = /\p{M}+/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^a-z0-9]+/g;
const OUTER_UNDERSCORES = /^_+|_+$/g;

/**
 * The attribute that a column becomes: its header if that is a valid name, otherwise a name made from it
 * (`Favourite colour` is `favourite_colour`, `2nd address` is `a_2nd_address`). Null if nothing of it can be used.
 */
function attributeNameOf(header: string): string | null {
  const text = header.trim();
  if (isAttributeName(text)) return text;
  const made = text
    .replaceAll("ß", "ss")
    .slice(0, READ_CHARACTERS_MAX)
    .normalize("NFKD")
    .replace(COMBINING_MARK, "")
    .toLowerCase()
    .replace(NEITHER_LETTER_NOR_DIGIT, "_")
    .replace(OUTER_UNDERSCORES, "");
  if (made === "") return null;
  const name = (/^[a-z]/.test(made) ? made : `a_${made}`).slice(0, CHARACTERS_MAX).replace(/_+$/, "");
  return isAttributeName(name) ? name : null;
}

/** The same for one of several columns: a name that is taken gets a number. */
export function freeAttributeName(header: string, place: number, taken: ReadonlySet<string>): string {
  const name = attributeNameOf(header) ?? `column_${place + 1}`;
  for (let n = 1; ; n++) {
    const numbered = n === 1 ? name : `${name.slice(0, CHARACTERS_MAX - 4)}_${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}
