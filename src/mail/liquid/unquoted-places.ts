/**
 * Which outputs of a template stand in a tag of HTML, outside quotes. There a blank in a value would begin an attribute:
 *
 *   <a href={{ whole }} class=a{{ value }} data-{{ name }} title="{{ this is none }}">
 */
import type { LiquidPiece } from "./liquid-pieces.ts";
import { nextTag } from "./liquid-tags.ts";
import { UNKNOWN, withTagsAs } from "./without-liquid.ts";

/** In the value of an attribute, or in a name. `whole`: the value is this output and nothing else. */
export type UnquotedPlace = "whole" | "value" | "name";

/** The outputs of a template that stand in such places, by the position where they begin. */
export type UnquotedPlaces = ReadonlyMap<number, UnquotedPlace>;

/** Stands for a tag of Liquid, which writes nothing at its own place. */
const NOTHING = "\uE001";

const NONE: UnquotedPlaces = new Map();

/**
 * Finds them in the HTML of a template as if all its branches were taken. What stands in styles, scripts and titles
 * is read like other HTML: a value that is escaped for an attribute there is only longer.
 */
export function unquotedPlaces(source: string): UnquotedPlaces {
  const html = withTagsAs(source, (tag, isValue) => (isValue ? UNKNOWN : NOTHING).repeat(tag.length));
  if (!html.includes(UNKNOWN)) return NONE;
  const places = new Map<number, UnquotedPlace>();
  for (const part of unquotedParts(html))
    for (const { begin, end } of outputsIn(source, html, part)) {
      const isWhole = part.of === "value" && begin === part.begin && end === part.end;
      places.set(begin, isWhole ? "whole" : part.of);
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
  for (const { of, begin, end } of attributeParts(text, 0))
    for (let at = begin; at < end; at++) if (text[at] === UNKNOWN) places.set(at + 1, of);
  return ends.map((end) => places.get(end) ?? null);
}

/** A part of a tag of HTML that has no quotes around it. */
type UnquotedPart = { readonly of: "value" | "name"; readonly begin: number; readonly end: number };

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

/** The names and the values without quotes of all tags. */
function* unquotedParts(html: string): Generator<UnquotedPart> {
  for (let at: number | null = 0; at !== null;) {
    START_OF_TAG.lastIndex = at;
    const tag = START_OF_TAG.exec(html);
    if (tag === null) return;
    const inside = START_OF_TAG.lastIndex;
    if (tag[0] === "<!--") {
      at = endOfComment(html, inside);
    } else {
      yield { of: "name", begin: tag.index, end: inside };
      at = yield* attributeParts(html, inside);
    }
  }
}

/** Where to go on after the beginning of a comment; null if it is never closed: then all that follows is the comment. */
function endOfComment(html: string, inside: number): number | null {
  CONDITIONAL.lastIndex = inside;
  if (CONDITIONAL.test(html)) return inside;
  const end = html.indexOf("-->", inside);
  return end === -1 ? null : end;
}

/** The parts of a tag from `at` on, where its attributes begin. Returns where they end. */
function* attributeParts(html: string, at: number): Generator<UnquotedPart, number> {
  for (let start = at; ;) {
    ATTRIBUTE.lastIndex = start;
    const [, before = "", name = "", value = ""] = ATTRIBUTE.exec(html) ?? [];
    const end = ATTRIBUTE.lastIndex;
    if (end <= start) return start;
    const nameAt = start + before.length;
    yield { of: "name", begin: nameAt, end: nameAt + name.length };
    yield { of: "value", begin: end - value.length, end: endOfValue(html, end - value.length, end) };
    start = end;
  }
}

/** Without the tags of Liquid at its end. There may be very many, so no pattern looks for them. */
function endOfValue(html: string, begin: number, end: number): number {
  let at = end;
  while (at > begin && html[at - 1] === NOTHING) at--;
  return at;
}

const ECHO = /\becho\b/g;

/** The outputs in a part, and those of `echo`: one may stand in the block of a `liquid` tag, and begins at its word. */
function* outputsIn(
  source: string,
  html: string,
  part: UnquotedPart,
): Generator<{ readonly begin: number; readonly end: number }> {
  for (let at = part.begin; at < part.end; at++) {
    const tag = html[at] === UNKNOWN && source[at] === "{" ? nextTag(source, at) : null;
    if (tag === null) continue;
    const { begin, end, isOutput } = tag;
    yield { begin, end };
    if (!isOutput)
      for (const echo of source.slice(begin, end).matchAll(ECHO)) yield { begin: begin + echo.index, end };
    at = end - 1;
  }
}
