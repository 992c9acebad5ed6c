/**
 * liquidjs as letters need it: it reads no files, each value is escaped where it is written, and what it does is counted
 * (`allowance.ts`). Each file here has one of the parts that differ from liquidjs.
 */
import { Liquid, type Context, type Template } from "liquidjs";
import { Spending, type Allowance } from "#mail/liquid/allowance.ts";
import { writtenInHtml, writtenInText, type LiquidKind, type Written } from "#mail/liquid/liquid-values.ts";
import { BoundedCapture, HtmlCapture, HtmlEcho } from "./captures.ts";
import { CountedCase, CountedIf, CountedUnless, OPERATORS } from "./comparisons.ts";
import { FillContext, Limits, spendingOf, type LiquidMoment } from "./fill-context.ts";
import { prepareFilters } from "./filters.ts";
import { CountedFor, CountedTablerow } from "./loops.ts";
import { renderPlainly } from "./plain-renderer.ts";
import { checkZones } from "./zones.ts";

const TEMPLATE_CHARACTERS_MAX = 1024 * 1024;

/** Tags that read other files, or write a value without escaping it. */
const TAGS_LEFT_OUT = ["include", "render", "layout", "block", "cycle"];

function engine(kind: LiquidKind): Liquid {
  const isHtml = kind === "html";
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
    outputEscape: outputOf(isHtml ? writtenInHtml : writtenInText),
  });
  for (const tag of TAGS_LEFT_OUT) delete liquid.tags[tag];
  liquid.registerTag("case", CountedCase);
  liquid.registerTag("if", CountedIf);
  liquid.registerTag("unless", CountedUnless);
  liquid.registerTag("for", CountedFor);
  liquid.registerTag("tablerow", CountedTablerow);
  liquid.registerTag("capture", isHtml ? HtmlCapture : BoundedCapture);
  if (isHtml) liquid.registerTag("echo", HtmlEcho);
  renderPlainly(liquid);
  prepareFilters(liquid, kind);
  return liquid;
}

/** liquidjs calls this as a filter, and passes on what it returns unchanged, whatever its types say. */
const outputOf = (written: (value: unknown, spending: Spending) => Written) =>
  function (this: { readonly context: Context }, value: unknown): Written {
    return written(value, spendingOf(this.context));
  } as unknown as (value: unknown) => string;

/** A context in which no rendering has begun. */
export const newContext = (kind: LiquidKind): FillContext => new FillContext(engineFor(kind), new Limits());

/** The scope of one rendering, and the limits of its cost. Tags may write into the scope: it is a copy. */
export function contextFor(
  kind: LiquidKind,
  scope: object,
  allowance: Allowance,
  moment: LiquidMoment | undefined,
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
