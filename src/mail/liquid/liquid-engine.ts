import {
  CaptureTag,
  Context,
  defaultOperators,
  Drop,
  EchoTag,
  Liquid,
  toValue,
  Value,
  type Emitter,
} from "liquidjs";
import type { Instant } from "#core/time/clock.ts";
import { escapeHtml, unescapeHtml } from "#core/text/html-escape.ts";
import { FULL, Spending, type Allowance } from "./allowance.ts";
import { boundedPieces, joinPieces, type LiquidPiece } from "./liquid-pieces.ts";
import { renderPlainly } from "./plain-renderer.ts";

/**
 * `html`: values are escaped. `text`: values are written unchanged. `line`: one line, as a subject must be.
 */
export type LiquidKind = "html" | "text" | "line";

const OUTPUT_CHARACTERS_MAX = 2 * 1024 * 1024;
const TEMPLATE_CHARACTERS_MAX = 1024 * 1024;

/** Tags that read other files, or write a value without escaping it. */
const TAGS_LEFT_OUT = ["include", "render", "layout", "block", "cycle"];
/**
 * Filters that run a value as an expression (`where_exp` and similar), or write a value without escaping it.
 */
const FILTERS_LEFT_OUT = /_exp$|^raw$/;

/**
 * What is already HTML: the result of a `capture` block or of `newline_to_br`. It is written unchanged, and the
 * values in it are still values.
 */
class Html extends Drop {
  readonly pieces: readonly LiquidPiece[];
  #text: string | null = null;
  constructor(pieces: readonly LiquidPiece[]) {
    super();
    this.pieces = boundedPieces(pieces);
  }
  /** What a filter or a comparison reads: unescaped, because what comes of it is escaped where it is written. */
  override valueOf(): string {
    return (this.#text ??= unescapeHtml(joinPieces(this.pieces)));
  }
  get size(): number {
    return this.valueOf().length;
  }
}

/** What an output tag writes. In HTML its values were escaped, so they contain no markup. */
class Written {
  constructor(readonly pieces: readonly LiquidPiece[]) {}
}

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
      if (value instanceof Value) emitter.write(writtenInHtml(yield value.value(context, false)));
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

/**
 * A value as Liquid writes it: nothing for nil, the entries of a list without separators, objects as JSON.
 */
function liquidText(of: unknown): string {
  if (typeof of === "string") return of;
  if (of instanceof Written) return joinPieces(of.pieces);
  const value: unknown = toValue(of);
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return (value as unknown[]).map(liquidText).join("");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const piecesInHtml = (value: unknown): readonly LiquidPiece[] =>
  value instanceof Html ? value.pieces : [{ value: escapeHtml(liquidText(value)) }];

const writtenInHtml = (value: unknown): Written => new Written(piecesInHtml(value));

const writtenInText = (value: unknown): Written => new Written([{ value: liquidText(value) }]);

/** A value of plain data, as it appears in the output. */
export const writtenValue = (value: unknown, kind: LiquidKind): string =>
  kind === "html" ? escapeHtml(liquidText(value)) : liquidText(value);

/** A captured block is a text wherever it is not written as it is. */
const asText = (value: unknown): unknown => (value instanceof Html ? value.valueOf() : value);

const OPERATORS = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => [
    name,
    (...operands: unknown[]) => (operator as (...operands: unknown[]) => unknown)(...operands.map(asText)),
  ]),
) as typeof defaultOperators;

/** The filters that leave HTML as it is. */
const OF_HTML = new Set(["escape", "xml_escape", "escape_once", "newline_to_br"]);

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
    // liquidjs passes the return value on to its output unchanged, whatever its types say.
    outputEscape: (kind === "html" ? writtenInHtml : writtenInText) as (value: unknown) => never,
  });
  for (const tag of TAGS_LEFT_OUT) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters))
    if (FILTERS_LEFT_OUT.test(filter)) liquid.unregisterFilter(filter);
  renderPlainly(liquid);
  fixChance(liquid);
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
      for (const read of [value, ...rest]) {
        if (read instanceof Html) spending.read(read.pieces);
        spending.read(read instanceof Html ? read.valueOf() : read);
      }
      const operands = OF_HTML.has(name) ? [value, ...rest] : [value, ...rest].map(asText);
      return handler.call(this, ...(operands as [unknown, ...unknown[]])) as unknown;
    },
  });
}

/**
 * What a rendering would otherwise take from the clock and from chance. With it, a letter that is made again, for a
 * second attempt or for its web version, is the same.
 */
export type LiquidMoment = { readonly now: Instant; readonly seed: number };

const momentOf = (context: Context): LiquidMoment | undefined => (context as FillContext).moment;

const READS_THE_CLOCK = /^date(?:_|$)/;

/** Dates of `now` are those of the moment, and `sample` takes what the moment's seed says. */
function fixChance(liquid: Liquid): void {
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (!READS_THE_CLOCK.test(name) || typeof filter !== "function") continue;
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

/** What a rendering knows: its scope, and the names that its tags made, which take precedence. */
export class FillContext extends Context {
  moment: LiquidMoment | undefined;
  /** The scopes of the surrounding blocks, innermost last. */
  readonly #blocks: object[] = [];
  constructor(
    liquid: Liquid,
    private readonly limits: Limits,
  ) {
    super({}, liquid.options, { sync: true }, { ...limits.asLimiters(), liquid });
  }
  /** What the next rendering is made with. Call it only if the last one left nothing behind, as one without tags. */
  begin(scope: object, allowance: Allowance, moment: LiquidMoment | undefined): void {
    this.environments = scope;
    this.limits.spending = new Spending(allowance);
    this.moment = moment;
  }
  override push(block: object): number {
    this.#blocks.push(block);
    return super.push(block);
  }
  override pop(): object | undefined {
    this.#blocks.pop();
    return super.pop();
  }
  /** The scope where liquidjs would look up a name. */
  scopeOf(name: string): Readonly<Record<string, unknown>> {
    const around = this.#blocks.findLast((block) => name in block);
    const found = around ?? [this.bottom(), this.environments].find((scope) => name in scope);
    return (found ?? this.globals) as Readonly<Record<string, unknown>>;
  }
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
  context.begin({ ...scope }, allowance, moment);
  return context;
}

/** liquidjs types its limiters as its own class, but uses only these two methods. */
type Limiters = NonNullable<ConstructorParameters<typeof Context>[3]>;

/** Counts what the current rendering costs. */
class Limits {
  spending = new Spending(FULL);
  check(): void {
    this.spending.check();
  }
  use(): void {}
  asLimiters(): Limiters {
    const memory = { check: () => undefined, use: (count: unknown) => this.spending.make(Number(count)) };
    return { renderLimit: this, memoryLimit: memory } as unknown as Limiters;
  }
}

export const spendingOf = ({ renderLimit }: Context): Spending => (renderLimit as unknown as Limits).spending;

const engines: Partial<Record<LiquidKind, Liquid>> = {};

/**
 * One engine per kind. An engine keeps nothing from one template to the next. It is created when a template first
 * needs it: liquidjs asks the runtime for its languages and time zones, and an idle server needs neither.
 */
export const engineFor = (kind: LiquidKind): Liquid => (engines[kind] ??= engine(kind));
