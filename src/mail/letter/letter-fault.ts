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

/**
 * The fault of a body in MJML whose format is HTML. No mail program knows the elements of MJML: people would
 * get a letter without images and links, with its styles as text. Cheap, so it may run on the event loop.
 */
export const mjmlAsHtml = (format: "html" | "mjml", body: string): LetterFault[] =>
  format === "html" && isMjml(body)
    ? [
        {
          part: "body",
          message: "it is MJML, but its format is HTML. Choose MJML as its format",
          line: null,
          column: null,
        },
      ]
    : [];

/** The same where a member says the format by its name: a request, and a step of an automation. */
export const mjmlInHtml = (html: string): string | null =>
  isMjml(html) ? "`html` is MJML: send it as `mjml`." : null;

/** What MJML's compiler lets stand before the root element: comments, also Liquid's, and the first line of XML or HTML. */
const BEFORE =
  /\s*(?:<!--(?:-?>|[^]*?-->)|<\?[^]*?\?>|<!doctype[^>]*>|\{%-?\s*comment\s*-?%\}[^]*?\{%-?\s*endcomment\s*-?%\})/iy;

function isMjml(body: string): boolean {
  let at = 0;
  for (BEFORE.lastIndex = 0; BEFORE.test(body);) at = BEFORE.lastIndex;
  return /^\s*<mjml[\s>]/i.test(body.slice(at));
}
