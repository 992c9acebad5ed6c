/**
 * Outlook reads some comments as conditions: `<!--[if mso]>…<![endif]-->` is for Outlook alone, and what is between
 * `<!--[if !mso]><!-->` and `<!--<![endif]-->` it leaves out. For everybody else they are comments.
 */
const START_OR_END = /<!(?:--)?\[if[\t\n\f\r (!]|<!\[endif\]/gi;

/** Ends a condition in a page, and in a comment that nobody closed. */
export const END_IN_PAGE = "<!--<![endif]-->";
export const END_IN_COMMENT = "<![endif]-->";

const END_HERE = /[\t\n\f\r ]*<!--<!\[endif\]-->/iy;

/** Whether `html[at]` is in a condition, or behind one that nobody ended: then it is not for all readers. */
export function isInCondition(html: string, at: number): boolean {
  let isOpen = false;
  for (const [mark] of html.slice(0, at).matchAll(START_OR_END)) isOpen = !/endif/i.test(mark);
  return isOpen;
}

/** The place behind the end of a condition that stands at `html[at]`; `at` if there is none. */
export function behindConditionEnd(html: string, at: number): number {
  END_HERE.lastIndex = at;
  return at + (END_HERE.exec(html)?.[0].length ?? 0);
}
