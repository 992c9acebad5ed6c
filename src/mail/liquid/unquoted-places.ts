import type { LiquidPiece } from "./liquid-pieces.ts";
import { UNKNOWN, withoutLiquid } from "./without-liquid.ts";

/**
 * A place in a tag of HTML, outside quotes: in the value of an attribute, or in a name. `whole`: the value is this
 * output and nothing else.
 */
export type UnquotedPlace = "whole" | "value" | "name";

/** The outputs of a template that stand in such places, by the position where they begin. */
export type UnquotedPlaces = ReadonlyMap<number, UnquotedPlace>;

/** Stands for a tag of Liquid, which writes nothing at its own place. */
const NOTHING = "\uE001";

/** White space, as HTML has it. */
const BLANK = "\\t\\n\\f\\r ";

const START_OF_TAG = new RegExp(`<(?:!--|[a-z][^${BLANK}/>]*)`, "gi");
/** Outlook reads what is in such a comment. */
const CONDITIONAL = /\[if\b/iy;
/**
 * One attribute, as browsers read it (HTML standard, "tokenization"): what stands before it, its name, and its value if
 * that has no quotes, with the tags of Liquid behind it. No part of it must be there, so it always fits, and no text is
 * read twice.
 */
const ATTRIBUTE = new RegExp(
  `([${BLANK}/${NOTHING}]*)(=?[^${BLANK}/>=]*)` +
    `(?:[${BLANK}${NOTHING}]*=[${BLANK}${NOTHING}]*(?:"[^"]*"|'[^']*'|([^${BLANK}>]*)))?`,
  "y",
);

const NONE: UnquotedPlaces = new Map();

/**
 * Finds them in the HTML of a template as if all its branches were taken. What stands in styles, scripts and titles
 * is read like other HTML: a value that is escaped for an attribute there is only longer.
 */
export function unquotedPlaces(source: string): UnquotedPlaces {
  const html = withoutLiquid(source, NOTHING);
  if (!html.includes(UNKNOWN)) return NONE;
  const places = new Map<number, UnquotedPlace>();
  const note = (place: UnquotedPlace, from: number, end: number): void => {
    for (const begin of outputsIn(source, html, from, end)) {
      const isPart = begin !== from || closeOf(source, begin) !== end;
      places.set(begin, place === "whole" && isPart ? "value" : place);
    }
  };
  START_OF_TAG.lastIndex = 0;
  for (let tag = START_OF_TAG.exec(html); tag !== null; tag = START_OF_TAG.exec(html)) {
    const inside = START_OF_TAG.lastIndex;
    if (tag[0] === "<!--") {
      CONDITIONAL.lastIndex = inside;
      const end = CONDITIONAL.test(html) ? inside : html.indexOf("-->", inside);
      // Never closed: all that follows is the comment.
      if (end === -1) break;
      START_OF_TAG.lastIndex = end;
      continue;
    }
    note("name", tag.index, inside);
    START_OF_TAG.lastIndex = readAttributes(html, inside, note);
  }
  return places;
}

/**
 * The places of the values in what a captured block writes at `place`, one for each piece; null: in quotes, or
 * outside the tag.
 */
export function placesWithin(
  pieces: readonly LiquidPiece[],
  place: UnquotedPlace,
): readonly (UnquotedPlace | null)[] {
  const before = { whole: "a=", value: "a=b", name: "" }[place];
  const ends: number[] = [];
  let text = before;
  for (const piece of pieces) {
    text += typeof piece === "string" ? piece.replaceAll(UNKNOWN, "x") : UNKNOWN;
    ends.push(text.length);
  }
  const places = new Map<number, UnquotedPlace>();
  readAttributes(text, 0, (found, from, end) => {
    for (let at = text.indexOf(UNKNOWN, from); at !== -1 && at < end; at = text.indexOf(UNKNOWN, at + 1))
      places.set(at + 1, found === "whole" ? "value" : found);
  });
  return ends.map((end) => places.get(end) ?? null);
}

/**
 * Reads the attributes of a tag from `at` on, and returns where they end. `whole` is noted for every value without
 * quotes.
 */
function readAttributes(
  html: string,
  at: number,
  note: (place: "whole" | "name", from: number, end: number) => void,
): number {
  for (let start = at; ;) {
    ATTRIBUTE.lastIndex = start;
    const [, before = "", name = "", value = ""] = ATTRIBUTE.exec(html) ?? [];
    const end = ATTRIBUTE.lastIndex;
    if (end <= start) return start;
    const named = start + before.length;
    note("name", named, named + name.length);
    note("whole", end - value.length, endOfValue(html, end - value.length, end));
    start = end;
  }
}

/** Without the tags of Liquid at its end. There may be very many, so no pattern looks for them. */
function endOfValue(html: string, from: number, end: number): number {
  let at = end;
  while (at > from && html[at - 1] === NOTHING) at--;
  return at;
}

const ECHO = /\becho\b/g;

/** Where the outputs begin: `{{`, or the word `echo`, which may stand in the block of a `liquid` tag. */
function* outputsIn(source: string, html: string, from: number, end: number): Generator<number> {
  for (let at = from; at < end; at++) {
    if (html[at] !== UNKNOWN || source[at] !== "{") continue;
    yield at;
    const close = closeOf(source, at);
    if (source[at + 1] === "%")
      for (const echo of source.slice(at, close).matchAll(ECHO)) yield at + echo.index;
    at = close - 1;
  }
}

const closeOf = (source: string, at: number): number =>
  source.indexOf(source[at + 1] === "%" ? "%}" : "}}", at) + 2;
