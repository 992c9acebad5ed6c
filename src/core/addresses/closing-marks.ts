/** No address of ours ends with one of these. German closes with “ and ‘, or with « and ‹. */
const CLOSING_MARKS = new Set("])}>.,;:!?…'\"”’“‘»›«‹、。，．！？：；）】」』");

/**
 * An address, or its end, without the marks that follow it in a text: `[https://example.com/x].` Some mail programs make
 * a link of all of it, and their reader would find nothing there.
 */
export function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSING_MARKS.has(text[end - 1] ?? "")) end--;
  return text.slice(0, end);
}
