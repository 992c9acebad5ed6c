import { UNKNOWN, withoutLiquid } from "./without-liquid.ts";

/** A place in an attribute without quotes. `isWhole`: the attribute is this output and nothing else. */
export type UnquotedPlace = { readonly isWhole: boolean };

/**
 * The outputs of a template that stand in an attribute without quotes, by the position where they begin.
 */
export type UnquotedPlaces = ReadonlyMap<number, UnquotedPlace>;

/** Stands for a tag of Liquid, which writes nothing at its own place. */
const NOTHING = "\uE001";

/** White space, as HTML has it. */
const BLANK = "\\t\\n\\f\\r ";

/** Whether it is worth reading the tags. Each `=` begins a search, which ends at the next one. */
const MAY_BE_UNQUOTED = new RegExp(`=[${BLANK}]*[^${BLANK}"'>=]*${UNKNOWN}`);

const START_OF_TAG = new RegExp(`<(?:!--|[a-z][^${BLANK}/>]*)`, "gi");
/** Outlook reads what is in such a comment. */
const CONDITIONAL = /\[if\b/iy;
/**
 * One attribute, as browsers read it (HTML standard, "tokenization"); the group is a value without quotes. No part of
 * it must be there, so it always fits, and no text is read twice.
 */
const ATTRIBUTE = new RegExp(
  `[${BLANK}/${NOTHING}]*=?[^${BLANK}/>=]*` +
    `(?:[${BLANK}${NOTHING}]*=[${BLANK}]*(?:${NOTHING}*"[^"]*"|${NOTHING}*'[^']*'|([^${BLANK}>]*)))?`,
  "y",
);

const NONE: UnquotedPlaces = new Map();

/**
 * Finds them in the HTML of a template as if all its branches were taken. What stands in styles, scripts and titles
 * is read like other HTML: a value that is escaped for an attribute there is only longer.
 */
export function unquotedPlaces(source: string): UnquotedPlaces {
  const html = withoutLiquid(source, NOTHING);
  if (!MAY_BE_UNQUOTED.test(html)) return NONE;
  const places = new Map<number, UnquotedPlace>();
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
    START_OF_TAG.lastIndex = readAttributes(source, html, inside, places);
  }
  return places;
}

/** Reads the attributes of a tag from `at` on, and returns where they end. */
function readAttributes(
  source: string,
  html: string,
  at: number,
  places: Map<number, UnquotedPlace>,
): number {
  for (let start = at; ;) {
    ATTRIBUTE.lastIndex = start;
    const [, value = ""] = ATTRIBUTE.exec(html) ?? [];
    const end = ATTRIBUTE.lastIndex;
    if (end <= start) return start;
    const from = end - value.length;
    for (const begin of outputsIn(source, html, from, end))
      places.set(begin, { isWhole: begin === from && source.indexOf("}}", begin) + 2 === end });
    start = end;
  }
}

function* outputsIn(source: string, html: string, from: number, end: number): Generator<number> {
  for (let at = from; at < end; at++)
    if (html[at] === UNKNOWN && source.startsWith("{{", at)) {
      yield at;
      at = source.indexOf("}}", at) + 1;
    }
}
