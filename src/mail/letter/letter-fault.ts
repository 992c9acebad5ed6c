/**
 * Why a letter cannot be made. Line and column are places in the author's own text; null if the compiler names
 * none.
 */
export type LetterFault = {
  readonly part: "subject" | "preheader" | "body" | "text";
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
};

/** A fault as a sentence for its author. */
export function faultSentence({ part, message, line, column }: LetterFault): string {
  const place = line === null ? "" : ` in line ${line}${column === null ? "" : `, column ${column}`}`;
  return `The ${part} cannot be used${place}: ${withoutEnd(message)}.`;
}

/** A message may quote long values. A pattern for the end would search from every blank in them. */
function withoutEnd(message: string): string {
  let end = message.length;
  while (end > 0 && /[.\s]/.test(message.charAt(end - 1))) end--;
  return message.slice(0, end);
}
