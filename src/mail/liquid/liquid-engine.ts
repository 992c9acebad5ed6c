import { CaptureTag, EchoTag, Liquid, Value, type Context, type Emitter, type Template } from "liquidjs";
import { unescapeHtml } from "#core/text/html-escape.ts";
import { Spending, type Allowance } from "./allowance.ts";
import { CountedCase, CountedIf, CountedUnless, OPERATORS } from "./comparisons.ts";
import { FillContext, Limits, momentOf, spendingOf, type LiquidMoment } from "./fill-context.ts";
import { countDates, DATE_FILTER } from "./dates.ts";
import { CountedFor, CountedTablerow } from "./loops.ts";
import { joinPieces, type LiquidPiece } from "./liquid-pieces.ts";
import {
  asText,
  Html,
  liquidText,
  piecesInHtml,
  Written,
  writtenInHtml,
  writtenInText,
  type LiquidKind,
} from "./liquid-values.ts";
import { renderPlainly } from "./plain-renderer.ts";
import { checkZones, passUnknownZones } from "./zones.ts";

const OUTPUT_CHARACTERS_MAX = 2 * 1024 * 1024;
const TEMPLATE_CHARACTERS_MAX = 1024 * 1024;

/** Tags that read other files, or write a value without escaping it. */
const TAGS_LEFT_OUT = ["include", "render", "layout", "block", "cycle"];
/**
 * Filters that run a value as an expression (`where_exp` and similar), or write a value without escaping it.
 */
const FILTERS_LEFT_OUT = /_exp$|^raw$/;

/** Counts the text of its block against the limits for all output. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const output = new PiecesOutput(spendingOf(context));
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    context.bottom()[this.variable] = this.kept(output.pieces);
  }
  protected kept(pieces: readonly LiquidPiece[]): unknown {
    return joinPieces(pieces);
  }
}

/** The text of its block was already escaped, so it must not be escaped again when the name is used. */
class HtmlCapture extends BoundedCapture {
  protected override kept(pieces: readonly LiquidPiece[]): Html {
    return new Html(pieces);
  }
}

/** liquidjs makes text of the value before it is escaped, so the markup of a `capture` would be escaped again. */
class HtmlEcho extends EchoTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    for (const value of this.arguments())
      if (value instanceof Value)
        emitter.write(writtenInHtml(yield value.value(context, false), spendingOf(context)));
  }
}

/** Collects the output, up to a limit. liquidjs has no limit for text inside a loop. */
export class BoundedOutput implements Emitter {
  buffer = "";
  constructor(private readonly spending: Spending) {}
  write(written: unknown): void {
    if (written instanceof Written) countPieces(this.spending, written);
    const text = liquidText(written);
    this.buffer += text;
    limitOutput(this.buffer.length);
    this.spending.read(text);
  }
}

/** Collects the output in pieces, up to the same limit. */
export class PiecesOutput implements Emitter {
  readonly buffer = "";
  #length = 0;
  constructor(
    private readonly spending: Spending,
    readonly pieces: LiquidPiece[] = [],
  ) {}
  write(written: unknown): void {
    if (!(written instanceof Written)) return this.#add(liquidText(written));
    countPieces(this.spending, written);
    for (const piece of written.pieces) this.#add(piece);
  }
  #add(piece: LiquidPiece): void {
    const text = (typeof piece === "string" ? piece : piece.value).toWellFormed();
    this.#length += text.length;
    limitOutput(this.#length);
    this.spending.read(text);
    this.pieces.push(typeof piece === "string" ? text : { value: text });
  }
}

/** One value costs what its text costs. A captured block may have thousands of pieces without any text. */
function countPieces(spending: Spending, { pieces }: Written): void {
  if (pieces.length > 1) spending.read(pieces);
}

export function limitOutput(length: number): void {
  if (length > OUTPUT_CHARACTERS_MAX)
    throw new Error(`the text becomes longer than ${OUTPUT_CHARACTERS_MAX} characters`);
}

/** The filters that leave HTML as it is. */
const OF_HTML = new Set(["default", "escape", "xml_escape", "escape_once", "newline_to_br"]);

/** The filters for which infinity is a number. For all others it is nothing, as where it is written. */
const ARITHMETIC = new Set(
  "abs at_least at_most ceil divided_by floor minus modulo plus round times".split(" "),
);
const SORTS = /^sort/;
/** The filters whose first argument is the way to a member of each entry, such as `author.name`. */
const LOOKS_UP = new Set("find find_index group_by has map reject sort sort_natural sum where".split(" "));
const isNoNumber = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

function engine(kind: LiquidKind): Liquid {
  const liquid = new Liquid({
    // No partial templates. Without this, liquidjs would read files from the working directory for any tag
    // that names one.
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: "en-US",
    parseLimit: TEMPLATE_CHARACTERS_MAX,
    operators: OPERATORS,
    outputEscape: outputOf(kind === "html" ? writtenInHtml : writtenInText),
  });
  for (const tag of TAGS_LEFT_OUT) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters))
    if (FILTERS_LEFT_OUT.test(filter)) liquid.unregisterFilter(filter);
  liquid.registerTag("case", CountedCase);
  liquid.registerTag("if", CountedIf);
  liquid.registerTag("unless", CountedUnless);
  liquid.registerTag("for", CountedFor);
  liquid.registerTag("tablerow", CountedTablerow);
  renderPlainly(liquid);
  passUnknownZones(liquid);
  countDates(liquid);
  fixChance(liquid);
  splitBetweenCharacters(liquid);
  for (const filter of ["url_decode", "base64_decode"]) keepWhatIsNotEncoded(liquid, filter);
  if (kind === "html") escapeWhereWritten(liquid);
  for (const filter of Object.keys(liquid.filters)) countWhatItReads(liquid, filter);
  if (kind !== "html") {
    liquid.registerTag("capture", BoundedCapture);
    return liquid;
  }
  liquid.registerTag("capture", HtmlCapture);
  liquid.registerTag("echo", HtmlEcho);
  return liquid;
}

/** liquidjs calls this as a filter, and passes on what it returns unchanged, whatever its types say. */
const outputOf = (written: (value: unknown, spending: Spending) => Written) =>
  function (this: { readonly context: Context }, value: unknown): Written {
    return written(value, spendingOf(this.context));
  } as unknown as (value: unknown) => string;

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
  const { default: otherwise } = liquid.filters;
  if (typeof otherwise === "function")
    liquid.registerFilter("default", function (value: unknown, ...rest: unknown[]) {
      return value instanceof Html && value.size > 0
        ? value
        : (otherwise.call(this, value, ...rest) as unknown);
    });
}

const LINE_END = /\r?\n/;
const BREAK = "<br />\n";

const withBreaks = (piece: LiquidPiece): readonly LiquidPiece[] =>
  typeof piece === "string"
    ? [piece.split(LINE_END).join(BREAK)]
    : piece.value.split(LINE_END).flatMap((value, line) => (line === 0 ? [{ value }] : [BREAK, { value }]));

/**
 * Some filters walk a whole array and create nothing (`has`, `sum`), but liquidjs only counts what a filter
 * creates.
 */
function countWhatItReads(liquid: Liquid, name: string): void {
  const filter = liquid.filters[name];
  if (filter === undefined) return;
  const { handler, raw } = typeof filter === "function" ? { handler: filter, raw: false } : filter;
  liquid.registerFilter(name, {
    raw,
    handler(value: unknown, ...rest: unknown[]) {
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
  });
}

/** Dates of `now` are those of the moment, and `sample` takes what the moment's seed says. */
function fixChance(liquid: Liquid): void {
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (!DATE_FILTER.test(name) || typeof filter !== "function") continue;
    liquid.registerFilter(name, function (value: unknown, ...rest: unknown[]) {
      const moment = momentOf(this.context);
      const isNow = moment !== undefined && (value === "now" || value === "today");
      return filter.call(this, isNow ? new Date(moment.now) : value, ...rest) as unknown;
    });
  }
  const { sample } = liquid.filters;
  if (typeof sample !== "function") return;
  liquid.registerFilter("sample", function (value: unknown, ...rest: unknown[]) {
    const moment = momentOf(this.context);
    if (moment === undefined) return sample.call(this, value, ...rest) as unknown;
    const items: unknown[] = Array.isArray(value) ? (value as unknown[]) : [...liquidText(value)];
    const first = moment.seed % Math.max(1, items.length);
    const turned = [...items.slice(first), ...items.slice(0, first)];
    const [count = 1] = rest;
    return count === 1 ? turned[0] : turned.slice(0, Number(count));
  });
}

/** liquidjs splits by nothing into halves of characters, which other filters cannot encode. */
function splitBetweenCharacters(liquid: Liquid): void {
  const { split } = liquid.filters;
  if (typeof split !== "function") return;
  liquid.registerFilter("split", function (value: unknown, by: unknown) {
    const parts = split.call(this, value, by) as string[];
    return liquidText(by) === "" ? [...parts.join("")] : parts;
  });
}

/** liquidjs would throw, and whoever has "50% off" in an attribute would get no letter. */
function keepWhatIsNotEncoded(liquid: Liquid, name: string): void {
  const decode = liquid.filters[name];
  if (typeof decode !== "function") return;
  liquid.registerFilter(name, function (value: unknown, ...rest: unknown[]) {
    try {
      return decode.call(this, value, ...rest) as unknown;
    } catch {
      return value;
    }
  });
}

/** A context in which no rendering has begun. */
export const newContext = (kind: LiquidKind): FillContext => new FillContext(engineFor(kind), new Limits());

/** The scope of one rendering, and the limits of its cost. Tags may write into the scope: it is a copy. */
export function contextFor(
  kind: LiquidKind,
  scope: object,
  allowance: Allowance,
  moment?: LiquidMoment,
): FillContext {
  const context = newContext(kind);
  context.begin({ ...scope }, new Spending(allowance), moment);
  return context;
}

const engines: Partial<Record<LiquidKind, Liquid>> = {};

/**
 * One engine per kind. An engine keeps nothing from one template to the next. It is created when a template first
 * needs it: liquidjs asks the runtime for its languages and time zones, and an idle server needs neither.
 */
const engineFor = (kind: LiquidKind): Liquid => (engines[kind] ??= engine(kind));

/** Reads a template. @throws LiquidError with the place of what is wrong */
export function templatesOf(source: string, kind: LiquidKind): Template[] {
  const templates = engineFor(kind).parse(source);
  checkZones(templates);
  return templates;
}
