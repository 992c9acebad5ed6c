import { withoutClosingMarks } from "#core/addresses/closing-marks.ts";

/** Less than the 76 columns that quoted-printable allows, so that no line of text is broken a second time. */
export const TEXT_COLUMNS = 74;
/** At least this many columns are left for text, however deep the line is quoted or indented. */
const COLUMNS_MIN = 20;

/**
 * Marks both edges of an address until the text around it is known. It is a character that no text contains
 * (a Unicode noncharacter).
 */
export const ADDRESS_EDGE = "\uFDD0";
const ADDRESS_EDGES = /\uFDD0+/;

/** Quotes, bullets and indents at the start of a line. If the line is wrapped, the rest continues below its text. */
const LEAD = /^(?:> ?)*\s*(?:(?:\*|\d+\.) )?/;
/** Most lines begin with a word. */
const MAY_LEAD = /^[>\s*\d]/;
/** An empty line, or one that holds only quote marks. */
const BLANK = /^[>\s]*$/;

/*
 * Invisible filler: newsletters put it after their first words, so that an inbox shows nothing else there. It
 * consists of characters without width, and of spaces that do not collapse. Joiners and direction marks are also
 * part of real text: one that is alone between two letters stays.
 */
const JOINERS = "\\u034F\\u200C\\u200D\\u2060";
const DIRECTIONS = "\\u061C\\u200E\\u200F";
const NO_WIDTH = `\\u00AD\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2061-\\u2064\\u206A-\\u206F\\u2800\\u3164\\uFEFF\\uFFA0${JOINERS}${DIRECTIONS}`;
const SPACES = "\\t \\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000";

const HOLLOW_RUN = new RegExp(`[${SPACES}${NO_WIDTH}]+`, "g");
const INVISIBLE = new RegExp(`[${NO_WIDTH}]`, "g");
const SPACE = new RegExp(`[${SPACES}]`);
/** Spaces that HTML does not collapse. */
const FIXED = /[\u00A0\u1680\u2000-\u200A\u202F\u205F]/g;
const FILLER = new RegExp(`${INVISIBLE.source}|${FIXED.source}`);
const JOINER = new RegExp(`[${JOINERS}]`);
const DIRECTION = new RegExp(`[${DIRECTIONS}]`, "g");

/** Marks that no address contains. */
const WIDE_MARK = /^[、。，．！？：；）】」』]/;
/** What may come directly before an address. */
const OPENS_ADDRESS = /^$|^[\s([{<"'‘“„‚«‹»›（【「『]/;

/**
 * Makes the converter's text readable: no invisible filler, addresses separated from what follows, no two
 * blank lines in a row, wrapped. It ends without a line end.
 * @param isOpen whether a line is filled in later: `tidyLine` wraps it then
 */
export function tidyText(text: string, isOpen: (line: string) => boolean): string {
  const lines = text
    .split("\n")
    .map((line) => separateAddresses(dropFiller(line)).trimEnd())
    .filter((line, index, all) => !BLANK.test(line) || !BLANK.test(all[index - 1] ?? ""));
  return lines
    .map((line) => (isOpen(line) ? line : wrapLine(line)))
    .join("\n")
    .trimEnd();
}

/** A line that was filled in: without invisible filler, and wrapped. */
export const tidyLine = (line: string): string => wrapLine(dropFiller(line).trimEnd());

/**
 * Breaks a line that is too long, if its words allow it. The rest continues below its text, after the same quote
 * marks. The line has no white space at its end.
 */
export function wrapLine(line: string): string {
  if (line.length <= TEXT_COLUMNS) return line;
  const lead = MAY_LEAD.test(line) ? (LEAD.exec(line)?.[0] ?? "") : "";
  const below = lead.replace(/[^> ]/g, " ");
  const columns = Math.max(COLUMNS_MIN, TEXT_COLUMNS - lead.length);
  const words = line.slice(lead.length);
  // One space between words, and none at the start.
  const isTidy = !words.startsWith(" ") && !words.includes("  ");
  const text = isTidy ? words : words.replace(/ +/g, " ").replace(/^ /, "");
  let wrapped = "";
  let start = 0;
  do {
    const end = endOfLine(text, start, columns);
    wrapped += start === 0 ? "" : "\n";
    wrapped += ((start === 0 ? lead : below) + text.slice(start, end)).trimEnd();
    start = end + 1;
  } while (start < text.length);
  return wrapped;
}

/** The end of a line that begins at `start`: before a space, or at the end of the text. */
function endOfLine(text: string, start: number, columns: number): number {
  if (text.length - start <= columns) return text.length;
  const fitting = text.lastIndexOf(" ", start + columns);
  if (fitting > start) return fitting;
  const next = text.indexOf(" ", start + columns);
  return next === -1 ? text.length : next;
}

function dropFiller(line: string): string {
  if (!FILLER.test(line)) return line;
  return line.replace(HOLLOW_RUN, (run, at: number) => {
    // Nearly all runs are one ordinary space, and this is done for each message.
    if (run === " ") return run;
    const isAtEdge = at === 0 || at + run.length === line.length;
    const [invisible, fixed, directions] = [INVISIBLE, FIXED, DIRECTION].map((kind) => countOf(run, kind));
    // Ordinary spaces are the converter's indents, or belong to preformatted text.
    if (invisible === 0 && (fixed === 0 || (fixed === 1 && !isAtEdge))) return run;
    if (run.length === line.length) return "";
    // One or two direction marks next to a space belong to the words of a right-to-left language.
    if (directions === invisible && (invisible === 1 || invisible === 2)) return run;
    if (isAtEdge) return "";
    return SPACE.test(run) ? " " : (JOINER.exec(run)?.[0] ?? "");
  });
}

const countOf = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0;

function separateAddresses(line: string): string {
  if (!line.includes(ADDRESS_EDGE)) return line;
  const parts = line.split(ADDRESS_EDGES);
  return parts
    .map((part, index) => {
      const before = parts[index - 1];
      return before === undefined || isApart(before, part) ? part : ` ${part}`;
    })
    .join("");
}

const isApart = (before: string, after: string): boolean =>
  endsAddress(after) || OPENS_ADDRESS.test(before.slice(-1));

/** Whether a text may directly follow an address: as the end of a sentence does, or of a quotation. */
const endsAddress = (text: string): boolean =>
  WIDE_MARK.test(text) || withoutClosingMarks(/^\S*/.exec(text)?.[0] ?? "") === "";
