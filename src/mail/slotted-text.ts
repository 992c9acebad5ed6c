import { unescapeHtml } from "./html-text.ts";
import { TEXT_COLUMNS } from "./text-alternative.ts";

/** Quotes, bullets and indents at the head of a line; what is wrapped goes on below its text. */
const LEAD = /^(?:> ?)*\s*(?:(?:\*|\d+\.) )?/;

/** A link that its value left empty. */
const NO_ADDRESS = / ?\[\]/g;

/** A value as it reads in text: without control characters and line ends. */
export const valueAsText = (escaped: string): string => unescapeHtml(escaped).replace(/[\p{Cc}\s]+/gu, " ");

/** A line of a text part that its values made longer, wrapped again where it has to be; what they left empty is closed up. */
export function wrapLine(line: string): string {
  const lead = LEAD.exec(line)?.[0] ?? "";
  const below = lead.replace(/[^> ]/g, " ");
  const lines: string[] = [];
  let current = "";
  for (const word of line.slice(lead.length).replace(NO_ADDRESS, "").split(/ +/)) {
    if (current !== "" && lead.length + current.length + 1 + word.length > TEXT_COLUMNS) {
      lines.push(current);
      current = word;
    } else current += current === "" ? word : ` ${word}`;
  }
  return [...lines, current]
    .map((text, index) => `${index === 0 ? lead : below}${text}`.trimEnd())
    .join("\n");
}
