/** The non-empty lines of a text, trimmed, without control characters. */
export function plainLines(text: string): string[] {
  return text
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/\p{Cc}+/gu, " ").trim())
    .filter((line) => line !== "");
}
