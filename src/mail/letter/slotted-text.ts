import { unescapeHtml } from "#core/html-escape.ts";
import { wrapLine } from "#mail/html/text-lines.ts";

/** A link that its value left empty. */
const NO_ADDRESS = / ?\[\]/g;

/** A value as it reads in text: without control characters and line ends. */
export const valueAsText = (escaped: string): string => unescapeHtml(escaped).replace(/[\p{Cc}\s]+/gu, " ");

/** A line of a text part that its values made longer, wrapped again where it has to be; what they left empty is closed up. */
export const filledLine = (line: string): string =>
  wrapLine(
    line
      .replace(NO_ADDRESS, "")
      .replace(/(\S) +/g, "$1 ")
      .trimEnd(),
  );
