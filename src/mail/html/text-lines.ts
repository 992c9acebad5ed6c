/** Below the 76 columns quoted-printable allows, so that prose is not broken a second time. */
export const TEXT_COLUMNS = 74;
/** However deep a line is quoted or indented, this much of it is text. */
const COLUMNS_MIN = 20;

/** Stands at the edges of an address until the text around it is known: a character that no text has (a Unicode noncharacter). */
export const ADDRESS_EDGE = "\uFDD0";
const ADDRESS_EDGES = /\uFDD0+/;

/** Quotes, bullets and indents at the head of a line; what is wrapped goes on below its text. */
const LEAD = /^(?:> ?)*\s*(?:(?:\*|\d+\.) )?/;
/** A line of nothing, or of nothing but quotes. */
const BLANK = /^[>\s]*$/;

/*
 * What newsletters hide behind their first words, so that an inbox shows nothing else there: characters that have no width, and spaces
 * that do not collapse. Joiners and direction marks are also letters' business: alone between two letters they stay.
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

/** What may follow an address directly: the end of a sentence that ends there, or a mark that no address holds. */
const ENDS_ADDRESS = /^(?:[.,;:!?)\]}>"'’”»…]*(?:\s|$)|[、。，．！？：；）】」』])/;
/** What may stand right before one. */
const OPENS_ADDRESS = /^$|^[\s([{<"'‘“«（【「『]/;

/**
 * Text as a converter left it, made fit to be read: without invisible filler, addresses apart from what follows, no two blank lines in a
 * row, wrapped. Ends without a line end.
 */
export function tidyText(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => separateAddresses(dropFiller(line)).trimEnd())
    .filter((line, index, all) => !(BLANK.test(line) && (index === 0 || BLANK.test(all[index - 1]!))));
  return lines.map(wrapLine).join("\n").trimEnd();
}

/** A line broken where it is too long and words allow it; the rest stands below its text, behind the same quotes. */
export function wrapLine(line: string): string {
  if (line.length <= TEXT_COLUMNS) return line;
  const lead = LEAD.exec(line)?.[0] ?? "";
  const below = lead.replace(/[^> ]/g, " ");
  const columns = Math.max(COLUMNS_MIN, TEXT_COLUMNS - lead.length);
  const lines: string[] = [];
  let current = "";
  for (const word of line.slice(lead.length).split(/ +/)) {
    if (current !== "" && current.length + 1 + word.length > columns) {
      lines.push(current);
      current = word;
    } else current += current === "" ? word : ` ${word}`;
  }
  return [...lines, current]
    .map((text, index) => `${index === 0 ? lead : below}${text}`.trimEnd())
    .join("\n");
}

function dropFiller(line: string): string {
  if (!FILLER.test(line)) return line;
  return line.replace(HOLLOW_RUN, (run, at: number) => {
    const isAtEdge = at === 0 || at + run.length === line.length;
    const [invisible, fixed, directions] = [INVISIBLE, FIXED, DIRECTION].map((kind) => countOf(run, kind));
    // Ordinary spaces are the converter's indents, or stand in preformatted text.
    if (invisible === 0 && (fixed === 0 || (fixed === 1 && !isAtEdge))) return run;
    if (run.length === line.length) return "";
    // One or two of them beside a space belong to the words of a right-to-left language.
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
  ENDS_ADDRESS.test(after) || OPENS_ADDRESS.test(before.slice(-1));
