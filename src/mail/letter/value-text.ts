import { unescapeHtml } from "#core/html-escape.ts";
import { wrapLine } from "#mail/html/text-lines.ts";

/** The brackets of a link whose value was empty. */
const NO_ADDRESS = / ?\[\]/g;

/** A value as it appears in text: without control characters and line ends. */
export const valueAsText = (escaped: string): string => unescapeHtml(escaped).replace(/[\p{Cc}\s]+/gu, " ");

/**
 * A line of a text part after its values were filled in: wrapped again if it became too long, and without the
 * gaps that empty values left.
 */
export const filledLine = (line: string): string =>
  wrapLine(
    line
      .replace(NO_ADDRESS, "")
      .replace(/(\S) +/g, "$1 ")
      .trimEnd(),
  );
