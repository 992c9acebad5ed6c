import { isAttributeName } from "#attributes/attribute.ts";
import type { SpelledName } from "#core/text/spelled-name.ts";

const CHARACTERS_MAX = 64;
const NEITHER_LETTER_NOR_DIGIT = /[^a-z0-9]+/g;
const OUTER_UNDERSCORES = /^_+|_+$/g;

/**
 * The attribute that a column becomes: its header if that is a valid name, otherwise a name made from it
 * (`Favourite colour` is `favourite_colour`, `2nd address` is `a_2nd_address`). Null if nothing of it can be used.
 */
function attributeNameOf({ name: header, bare }: SpelledName): string | null {
  if (isAttributeName(header)) return header;
  const made = bare
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(NEITHER_LETTER_NOR_DIGIT, "_")
    .replace(OUTER_UNDERSCORES, "");
  if (made === "") return null;
  const name = (/^[a-z]/.test(made) ? made : `a_${made}`).slice(0, CHARACTERS_MAX).replace(/_+$/, "");
  return isAttributeName(name) ? name : null;
}

/** A file has at most ten thousand columns. */
const NUMBER_CHARACTERS = "_10000".length;

/**
 * The same for several columns, one after the other: a name that is taken gets a number.
 * @param taken the names that the file's other columns have
 */
export function attributeNamer(taken: Iterable<string>): (header: SpelledName, place: number) => string {
  const used = new Set(taken);
  /** By the part before the number, because counting up from 2 each time would be too slow for many columns. */
  const nextOf = new Map<string, number>();
  return (header, place) => {
    let name = attributeNameOf(header) ?? `column_${place + 1}`;
    if (used.has(name)) {
      const part = name.slice(0, CHARACTERS_MAX - NUMBER_CHARACTERS);
      let n = nextOf.get(part) ?? 2;
      while (used.has(`${part}_${n}`)) n++;
      nextOf.set(part, n + 1);
      name = `${part}_${n}`;
    }
    used.add(name);
    return name;
  };
}
