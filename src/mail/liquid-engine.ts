import { CaptureTag, Drop, Liquid, type Context, type Emitter } from "liquidjs";
import { escapeHtml } from "./html-text.ts";

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
    if (this.buffer.length > OUTPUT_CHARACTERS_MAX)
      throw new Error(`the text becomes longer than ${OUTPUT_CHARACTERS_MAX} characters`);
  }
}

/** A value as Liquid writes it: nothing for nil, lists without anything between their entries, objects as JSON. */
function liquidText(value: unknown): string {
  if (value instanceof Html) return value.html;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return (value as unknown[]).map(liquidText).join("");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function escaped(value: unknown): string {
  return value instanceof Html ? value.html : escapeHtml(liquidText(value));
}

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
    outputEscape: kind === "html" ? escaped : liquidText,
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
