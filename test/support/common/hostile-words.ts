/** Words that break out of their place, if anything lets them. */
import type { Say } from "../browser/console-world.ts";

/** Markup that runs, a word without an end, other ways to write, and templates: several of each in one. */
const WORDS = [
  `"><img src=x onerror="window.hurt=1"><script>window.hurt=1</script>${"W".repeat(60)}`,
  `'"><svg/onload=window.hurt=1>{{7*7}}{{constructor.constructor('window.hurt=1')()}}`,
  `\u202Eolleh\u202C مرحبا بالعالم ${"https://example.com/".repeat(4)}`,
  `</textarea></title></style><iframe src="javascript:parent.hurt=1"></iframe>&lt;b&gt;&#x202e;`,
  `T̴̨̛͙o͖̞̐ ͚͊ 👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 ﷽﷽ ${"ſ".repeat(50)}\u200B\u200D`,
];

/** A plain text with hostile words after it; the same text always gets the same words. */
export const hostileWords: Say = (text, max = 100) => {
  const words = `${text} ${WORDS[text.length % WORDS.length]}`.slice(0, max);
  // Not in the middle of a character.
  return words.isWellFormed() ? words.trimEnd() : words.slice(0, -1).trimEnd();
};
