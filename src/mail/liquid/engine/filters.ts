/** The filters of liquidjs, each with what letters need of it beyond what it does. */
import type { Liquid } from "liquidjs";
import { unescapeHtml } from "#core/text/html-escape.ts";
import type { LiquidPiece } from "#mail/liquid/liquid-pieces.ts";
import { asText, Html, liquidText, piecesInHtml, type LiquidKind } from "#mail/liquid/liquid-values.ts";
import { countDates, DATE_FILTER } from "./dates.ts";
import { momentOf, spendingOf } from "./fill-context.ts";
import { wrapFilter, wrapFilters } from "./wrap-filter.ts";
import { passUnknownZones } from "./zones.ts";

/**
 * Filters that run a value as an expression (`where_exp` and similar), or write a value without escaping it.
 */
const LEFT_OUT = /_exp$|^raw$/;

/** What counts their cost is put around them last, so that it is asked first. */
export function prepareFilters(liquid: Liquid, kind: LiquidKind): void {
  for (const filter of Object.keys(liquid.filters))
    if (LEFT_OUT.test(filter)) liquid.unregisterFilter(filter);
  passUnknownZones(liquid);
  countDates(liquid);
  datesOfTheMoment(liquid);
  sampleOfTheMoment(liquid);
  splitBetweenCharacters(liquid);
  for (const filter of ["url_decode", "base64_decode"]) keepWhatIsNotEncoded(liquid, filter);
  if (kind === "html") escapeWhereWritten(liquid);
  countWhatTheyRead(liquid);
}

/** Each value is escaped where it is written. So a value that its author escapes stays a value. */
function escapeWhereWritten(liquid: Liquid): void {
  for (const filter of ["escape", "xml_escape"]) liquid.registerFilter(filter, (value: unknown) => value);
  liquid.registerFilter("escape_once", (value: unknown) =>
    value instanceof Html ? value : unescapeHtml(liquidText(value).replaceAll("&#34;", "&quot;")),
  );
  liquid.registerFilter(
    "newline_to_br",
    (value: unknown) => new Html(piecesInHtml(value).flatMap(withBreaks)),
  );
  wrapFilter(
    liquid,
    "default",
    (otherwise) =>
      function (value: unknown, ...rest: unknown[]) {
        return value instanceof Html && value.size > 0
          ? value
          : (otherwise.call(this, value, ...rest) as unknown);
      },
  );
}

const LINE_END = /\r?\n/;
const BREAK = "<br />\n";

const withBreaks = (piece: LiquidPiece): readonly LiquidPiece[] =>
  typeof piece === "string"
    ? [piece.split(LINE_END).join(BREAK)]
    : piece.value.split(LINE_END).flatMap((value, line) => (line === 0 ? [{ value }] : [BREAK, { value }]));

/** The filters that leave HTML as it is. */
const OF_HTML = new Set(["default", "escape", "xml_escape", "escape_once", "newline_to_br"]);

/** The filters for which infinity is a number. For all others it is nothing, as where it is written. */
const ARITHMETIC = new Set(
  "abs at_least at_most ceil divided_by floor minus modulo plus round times".split(" "),
);
const EVERY_NAME = /^/;
const SORTS = /^sort/;
/** The filters whose first argument is the way to a member of each entry, such as `author.name`. */
const LOOKS_UP = new Set("find find_index group_by has map reject sort sort_natural sum where".split(" "));
const isNoNumber = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

/**
 * Some filters walk a whole array and create nothing (`has`, `sum`), but liquidjs only counts what a filter
 * creates.
 */
function countWhatTheyRead(liquid: Liquid): void {
  wrapFilters(
    liquid,
    EVERY_NAME,
    (handler, name) =>
      function (value: unknown, ...rest: unknown[]) {
        const spending = spendingOf(this.context);
        spending.check();
        spending.parts(rest.length);
        if (SORTS.test(name)) spending.sort(value);
        const given = ARITHMETIC.has(name)
          ? [value, ...rest]
          : [value, ...rest].map((one) => (isNoNumber(one) ? null : one));
        for (const read of given) {
          if (read instanceof Html) spending.read(read.pieces);
          spending.read(read instanceof Html ? read.valueOf() : read);
        }
        if (LOOKS_UP.has(name)) spending.lookUp(value, liquidText(rest[0]));
        const operands = OF_HTML.has(name) ? given : given.map(asText);
        return handler.call(this, ...(operands as [unknown, ...unknown[]])) as unknown;
      },
  );
}

/** Dates of `now` are those of the rendering's moment. */
function datesOfTheMoment(liquid: Liquid): void {
  wrapFilters(
    liquid,
    DATE_FILTER,
    (date) =>
      function (value: unknown, ...rest: unknown[]) {
        const moment = momentOf(this.context);
        const isNow = moment !== undefined && (value === "now" || value === "today");
        return date.call(this, isNow ? new Date(moment.now) : value, ...rest) as unknown;
      },
  );
}

/** `sample` takes what the moment's seed says, not what chance does. */
function sampleOfTheMoment(liquid: Liquid): void {
  wrapFilter(
    liquid,
    "sample",
    (sample) =>
      function (value: unknown, ...rest: unknown[]) {
        const moment = momentOf(this.context);
        if (moment === undefined) return sample.call(this, value, ...rest) as unknown;
        const items: unknown[] = Array.isArray(value) ? (value as unknown[]) : [...liquidText(value)];
        const first = moment.seed % Math.max(1, items.length);
        const turned = [...items.slice(first), ...items.slice(0, first)];
        const [count = 1] = rest;
        return count === 1 ? turned[0] : turned.slice(0, Number(count));
      },
  );
}

/** liquidjs splits by nothing into halves of characters, which other filters cannot encode. */
function splitBetweenCharacters(liquid: Liquid): void {
  wrapFilter(
    liquid,
    "split",
    (split) =>
      function (value: unknown, by: unknown) {
        const parts = split.call(this, value, by) as string[];
        return liquidText(by) === "" ? [...parts.join("")] : parts;
      },
  );
}

/** liquidjs would throw, and whoever has "50% off" in an attribute would get no letter. */
function keepWhatIsNotEncoded(liquid: Liquid, name: string): void {
  wrapFilter(
    liquid,
    name,
    (decode) =>
      function (value: unknown, ...rest: unknown[]) {
        try {
          return decode.call(this, value, ...rest) as unknown;
        } catch {
          return value;
        }
      },
  );
}
