import { CaptureTag, Drop, Liquid, type Context, type Emitter } from "liquidjs";
import { escapeHtml } from "#core/html-escape.ts";

/** `html`: values are escaped. `text`: they are as they are. `line`: one line, as a subject needs it. */
export type LiquidKind = "html" | "text" | "line";

const OUTPUT_CHARACTERS_MAX = 2 * 1024 * 1024;
const TEMPLATE_CHARACTERS_MAX = 1024 * 1024;
const RENDER_BUDGET_MS = 500;
/** What liquidjs counts: entries and characters that filters and ranges make. */
const MEMORY_MAX = 4_000_000;

/** Tags that read other files, or write a value past the escaping. */
const TAGS_LEFT_OUT = ["include", "render", "layout", "block", "cycle"];
/** Filters that read a value as an expression (`where_exp` and its kin), or write one past the escaping. */
const FILTERS_LEFT_OUT = /_exp$|^raw$/;

/** Text that is HTML already: what a `capture` block gave, and what `escape` did. It is written as it is. */
class Html extends Drop {
  constructor(readonly html: string) {
    super();
  }
  override valueOf(): string {
    return this.html;
  }
}

/** A value that was escaped where it is written: no markup can be in it. */
class Filled {
  constructor(readonly html: string) {}
}

/** What a rendering wrote, in its order: the author's own text, and values, which are escaped and hold no markup. */
export type LiquidPiece = string | { readonly value: string };

/** Its block was escaped where it was written, so using the name must not escape it again. */
class HtmlCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const html = yield this.liquid.renderer.renderTemplates(this.templates, context, new BoundedOutput());
    context.bottom()[this.variable] = new Html(html);
  }
}

/** Collects what is written, up to a limit. liquidjs has none for text that stands in a loop. */
export class BoundedOutput implements Emitter {
  buffer = "";
  write(piece: unknown): void {
    this.buffer += typeof piece === "string" ? piece : liquidText(piece);
    limitOutput(this.buffer.length);
  }
}

/** Keeps what is written in its pieces, up to the same limit. */
export class PiecesOutput extends BoundedOutput {
  readonly pieces: LiquidPiece[] = [];
  #length = 0;
  override write(piece: unknown): void {
    const written = piece instanceof Filled ? { value: piece.html } : liquidText(piece);
    this.#length += (typeof written === "string" ? written : written.value).length;
    limitOutput(this.#length);
    this.pieces.push(written);
  }
}

function limitOutput(length: number): void {
  if (length > OUTPUT_CHARACTERS_MAX)
    throw new Error(`the text becomes longer than ${OUTPUT_CHARACTERS_MAX} characters`);
}

/** A value as Liquid writes it: nothing for nil, lists without anything between their entries, objects as JSON. */
function liquidText(value: unknown): string {
  if (value instanceof Html || value instanceof Filled) return value.html;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return (value as unknown[]).map(liquidText).join("");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function escaped(value: unknown): string {
  return value instanceof Html ? value.html : escapeHtml(liquidText(value));
}

/** What has markup of its own is written as text, so that only what has none passes for a value. */
const written = (value: unknown): string | Filled =>
  value instanceof Html ? value.html : new Filled(escapeHtml(liquidText(value)));

function engine(kind: LiquidKind): Liquid {
  const liquid = new Liquid({
    // No partial templates: without this liquidjs would read files from the working directory for any tag that asks.
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: "en-US",
    parseLimit: TEMPLATE_CHARACTERS_MAX,
    renderLimit: RENDER_BUDGET_MS,
    memoryLimit: MEMORY_MAX,
    // liquidjs hands whatever this returns to the output it was given.
    outputEscape: (kind === "html" ? written : liquidText) as (value: unknown) => string,
  });
  for (const tag of TAGS_LEFT_OUT) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters))
    if (FILTERS_LEFT_OUT.test(filter)) liquid.unregisterFilter(filter);
  if (kind !== "html") return liquid;
  liquid.registerTag("capture", HtmlCapture);
  liquid.registerFilter("escape", (value: unknown) => new Html(escaped(value)));
  liquid.registerFilter(
    "newline_to_br",
    (value: unknown) => new Html(escaped(value).replace(/\r?\n/g, "<br />\n")),
  );
  return liquid;
}

/** One engine per kind; an engine keeps nothing from one template to the next. */
export const ENGINES: Readonly<Record<LiquidKind, Liquid>> = {
  html: engine("html"),
  text: engine("text"),
  line: engine("line"),
};
