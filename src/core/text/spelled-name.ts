import { withoutMarks } from "./without-marks.ts";

/**
 * A name that people or other tools gave, such as the header of a column, and the forms in which tables of names are
 * searched for it. Make them once: for a MiB of names that takes a while.
 */
export type SpelledName = {
  /** As it is written. */
  readonly name: string;
  /** Its beginning, without accents. */
  readonly bare: string;
  /** In lower case, with a blank between: `subscribed_to_emails` and `subscribedToEmails` are one. */
  readonly words: string;
};

/** No table has a name that is longer. */
const BARE_CHARACTERS_MAX = 1_000;
const WORDS_CHARACTERS_MAX = 200;

export function spelledName(name: string): SpelledName {
  const bare = withoutMarks(name.slice(0, BARE_CHARACTERS_MAX));
  return { name, bare, words: wordsIn(bare.slice(0, WORDS_CHARACTERS_MAX)) };
}

const wordsIn = (bare: string): string =>
  bare
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();
