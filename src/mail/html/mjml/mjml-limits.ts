/**
 * The MJML compiler searches with regular expressions whose time grows with the square of the letter, or without any
 * bound. Each search is one native call, which ends by no deadline: so a letter that would make one long is refused.
 */

/** An ordinary letter has a few. The compiler searches from each of them to the end of the letter. */
const CONDITIONALS_MAX = 500;
/** An ordinary letter has some dozens. For each `mj-font`, the compiler searches from each of them too. */
const FONT_FAMILIES_MAX = 2_000;

/** Why a source is not given to the compiler; null if it is. */
export function mjmlProblem(source: string): string | null {
  if (hasMore(source, "<!--[if", CONDITIONALS_MAX))
    return `it has more than ${CONDITIONALS_MAX} conditional comments`;
  if (source.includes("<mj-font") && hasMore(source.toLowerCase(), "font-family:", FONT_FAMILIES_MAX))
    return `it has an mj-font, and more than ${FONT_FAMILIES_MAX} times font-family`;
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
