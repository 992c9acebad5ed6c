import { repeatedIn } from "./repeated.ts";

/**
 * The MJML compiler searches with regular expressions whose time grows with the square of the letter, or without any
 * bound. It also writes some parts again for each element, so a letter of half a megabyte can come to gigabytes. One
 * search, or one join of what was written, is a single native call, which ends by no deadline and by no limit of
 * memory: so a letter that would make one long or large is refused.
 */

/** An ordinary letter has a few. The compiler searches from each of them to the end of the letter. */
const CONDITIONALS_MAX = 500;
/** An ordinary letter has some dozens. For each `mj-font`, the compiler searches from each of them too. */
const FONT_FAMILIES_MAX = 2_000;
/** An ordinary letter has some. Their styles grow with the square of their number: 300 come to a megabyte. */
const CAROUSEL_IMAGES_MAX = 300;
/** An ordinary letter has less than one million. */
const REPEATED_ATTRIBUTES_MAX = 25_000_000;
/** The styles of a whole framework, for a thousand elements, come to less. */
const REPEATED_STYLES_MAX = 60_000_000;

/** Why a source is not given to the compiler; null if it is. */
export function mjmlProblem(source: string): string | null {
  if (hasMore(source, "<!--[if", CONDITIONALS_MAX))
    return `it has more than ${CONDITIONALS_MAX} conditional comments`;
  if (source.includes("<mj-font") && hasMore(source.toLowerCase(), "font-family:", FONT_FAMILIES_MAX))
    return `it has an mj-font, and more than ${FONT_FAMILIES_MAX} times font-family`;
  if (hasMore(source.toLowerCase(), "<mj-carousel-image", CAROUSEL_IMAGES_MAX))
    return `it has more than ${CAROUSEL_IMAGES_MAX} times mj-carousel-image`;
  return repetitionProblem(source);
}

function repetitionProblem(source: string): string | null {
  const { attributes, styles } = repeatedIn(source);
  if (attributes > REPEATED_ATTRIBUTES_MAX)
    return "its elements get too many and too long attributes from mj-attributes and from the elements around them";
  if (styles > REPEATED_STYLES_MAX)
    return "its inline styles and mj-html-attribute are too long for so many elements";
  return null;
}

function hasMore(text: string, part: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    if (++count > max) return true;
  return false;
}

/**
 * No fonts yet: otherwise everybody who opens the letter would load the default fonts from Google. The compiler adds
 * the letter's own, and searches for their names as regular expressions. `(x+x+)+y` would never end, and `Font (Pro)`
 * would not be found.
 */
export const noFonts = (): Record<string, string> =>
  new Proxy<Record<string, string>>(
    {},
    { set: (fonts, name, url) => Reflect.set(fonts, literally(String(name)), url) },
  );

const literally = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
