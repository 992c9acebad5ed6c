/** Blanks, comments, and XML's own line, which browsers take for a comment. */
const PASSED_OVER = /\s+|<!--(?:-?>|[^]*?--!?>)|<\?[^>]*>/y;
const DOCTYPE = /<!doctype[^>]*>/iy;

/**
 * Where a page may be added to: behind its doctype, or at its start if it has none. In front of a doctype an
 * element makes browsers use the layout rules of 1998.
 */
export function pageStart(html: string): number {
  let at = 0;
  while (matchesAt(PASSED_OVER, html, at)) at = PASSED_OVER.lastIndex;
  return matchesAt(DOCTYPE, html, at) ? DOCTYPE.lastIndex : 0;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
