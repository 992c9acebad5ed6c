import { LiquidError, type Emitter, type Template } from "liquidjs";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { FULL, NeedsThread, Spending, type Allowance } from "./allowance.ts";
import { spendingOf, type FillContext, type LiquidMoment } from "./engine/fill-context.ts";
import { contextFor, newContext, templatesOf } from "./engine/liquid-engine.ts";
import { BoundedOutput, limitOutput, PiecesOutput } from "./engine/outputs.ts";
import { holesOf, ASK_LIQUIDJS, valueAt, type Hole } from "./liquid-holes.ts";
import { boundedPieces, joinPieces, type LiquidPiece } from "./liquid-pieces.ts";
import { nextTag } from "./liquid-tags.ts";
import { writtenValue, type LiquidKind } from "./liquid-values.ts";
import { quicken } from "./quick-values.ts";
import { unquotedPlaces } from "./unquoted-places.ts";
import { oneLine } from "#mail/mime/headers.ts";

export { joinPieces };
export type { LiquidKind, LiquidMoment, LiquidPiece };

/** The names that a template may use, each with plain data. Only own members of that data can be reached. */
export type LiquidScope = Readonly<Record<string, unknown>>;

/**
 * Both methods throw NeedsThread if their allowance is below `FULL` and too small. With a moment, the same scope
 * always gives the same text.
 */
export type LiquidTemplate = {
  /** The filled-in template. A refusal names the line and column where it stopped. */
  render(scope: LiquidScope, allowance?: Allowance, moment?: LiquidMoment): Result<string>;
  /**
   * The same result in pieces. Joined, they are what `render` gives, except for line ends in `line`. Everything is
   * one piece if there are more values than a letter has slots for.
   */
  pieces(scope: LiquidScope, allowance?: Allowance, moment?: LiquidMoment): Result<readonly LiquidPiece[]>;
};

/** The most that can be read without keeping others waiting; an ordinary letter has a few dozen tags. */
const TAGS_MAX = 2_000;
const TAG_CHARACTERS_MAX = 64 * 1024;

const POSITION = /, (?:file:.*, )?line:\d+, col:\d+$/;

/**
 * Reads a Liquid template once, to be rendered many times (docs/decisions.md "Automations"). Values are
 * HTML-escaped in `html` and unchanged in `text`; the whole result of `line` is on one line. Unknown names
 * are empty; unknown filters and tags are refused here, with line and column. A value is never read as a
 * template. A template has at most 2,000 tags. Each rendering is limited in steps and memory (`allowance.ts`)
 * and in length (2 MiB of characters). There are no partial templates, `raw` and `cycle` do not exist, and
 * dates are shown in UTC.
 */
export function parseLiquid(source: string, kind: LiquidKind): Result<LiquidTemplate> {
  const tooMuch = amountProblem(source);
  if (tooMuch !== null) return invalid(tooMuch);
  try {
    const templates = templatesOf(source, kind);
    const unquoted = unquotedPlaces(kind === "html" ? source : "");
    quicken(templates, unquoted);
    const holes = holesOf(templates, unquoted);
    const fillHoles = holes && holesFiller(holes, kind);
    return accept({
      render: (scope, allowance = FULL, moment) => {
        const filling = { kind, scope, allowance, moment };
        if (fillHoles === null) return render(templates, filling);
        const made = fillHoles(filling);
        return made.ok ? accept(asKind(filling, joinPieces(made.value))) : made;
      },
      pieces: (scope, allowance = FULL, moment) => {
        const filling = { kind, scope, allowance, moment };
        return fillHoles === null ? pieces(templates, filling) : fillHoles(filling);
      },
    });
  } catch (error) {
    return refusal(error);
  }
}

function amountProblem(source: string): string | null {
  const { tags, characters } = tagsIn(source);
  if (tags > TAGS_MAX) return `The Liquid template has more than ${TAGS_MAX} tags. Use fewer.`;
  if (characters > TAG_CHARACTERS_MAX)
    return `The Liquid template's tags have more than ${TAG_CHARACTERS_MAX} characters. Shorten them.`;
  return null;
}

/** `}}` or `%}`: it does not count. */
const END_OF_TAG = 2;

/** How many tags and outputs a template has, and how long they are together. Counted without parsing it. */
function tagsIn(source: string): { tags: number; characters: number } {
  let [tags, characters] = [0, 0];
  for (let tag = nextTag(source, 0); tag !== null; tag = nextTag(source, tag.end)) {
    tags++;
    characters += tag.end - tag.begin - END_OF_TAG;
  }
  return { tags, characters };
}

/** The parameters of one rendering. */
type Filling = {
  readonly kind: LiquidKind;
  readonly scope: LiquidScope;
  readonly allowance: Allowance;
  readonly moment: LiquidMoment | undefined;
};

function render(templates: readonly Template[], filling: Filling): Result<string> {
  const output = write(templates, filling, (spending) => new BoundedOutput(spending));
  return output.ok ? accept(asKind(filling, output.value.buffer)) : output;
}

const asKind = ({ kind }: Filling, text: string): string =>
  kind === "line" ? oneLine(text) : text.toWellFormed();

function pieces(templates: readonly Template[], filling: Filling): Result<readonly LiquidPiece[]> {
  const output = write(templates, filling, (spending) => new PiecesOutput(spending));
  if (!output.ok) return output;
  return accept(boundedPieces(output.value.pieces));
}

/**
 * The same without liquidjs, for every plain value. Outputs leave nothing behind in their context, so all
 * renderings share one.
 */
function holesFiller(
  holes: readonly Hole[],
  kind: LiquidKind,
): (filling: Filling) => Result<readonly LiquidPiece[]> {
  let context: FillContext | null = null;
  return ({ scope, allowance, moment }) => {
    let output: PiecesOutput | null = null;
    const made: LiquidPiece[] = [];
    const spending = new Spending(allowance);
    let length = 0;
    try {
      for (const hole of holes) {
        if (hole.kind === "text") {
          made.push(hole.text);
          continue;
        }
        const found = hole.kind === "name" ? valueAt(scope, hole.path) : ASK_LIQUIDJS;
        if (found !== ASK_LIQUIDJS) {
          const value = writtenValue(found, kind, spending).toWellFormed();
          limitOutput((length += value.length));
          made.push({ value });
          continue;
        }
        context ??= newContext(kind);
        if (output === null) {
          context.begin(scope, spending, moment);
          output = new PiecesOutput(spending, made);
        }
        writeInto(output, hole.outputs, context);
      }
      limitOutput(lengthOf(made));
    } catch (error) {
      return failed(error);
    }
    return accept(made);
  };
}

function lengthOf(made: readonly LiquidPiece[]): number {
  let length = 0;
  for (const piece of made) length += (typeof piece === "string" ? piece : piece.value).length;
  return length;
}

function write<Output extends Emitter>(
  templates: readonly Template[],
  { kind, scope, allowance, moment }: Filling,
  outputFor: (spending: Spending) => Output,
): Result<Output> {
  try {
    const context = contextFor(kind, scope, allowance, moment);
    return accept(writeInto(outputFor(spendingOf(context)), templates, context));
  } catch (error) {
    return failed(error);
  }
}

function writeInto<Output extends Emitter>(
  output: Output,
  templates: readonly Template[],
  context: FillContext,
): Output {
  context.liquid.renderer.renderTemplates(templates, context, output);
  return output;
}

/** @throws NeedsThread if the allowance was too small */
function failed(error: unknown): ReturnType<typeof invalid> {
  if (error instanceof NeedsThread) throw error;
  if (LiquidError.is(error) && error.originalError instanceof NeedsThread) throw error.originalError;
  return refusal(error);
}

/** Why a template cannot be read, and where the fault is; null if there is none. */
export type LiquidFault = {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
};

export function liquidFault(source: string, kind: LiquidKind): LiquidFault | null {
  const tooMuch = amountProblem(source);
  if (tooMuch !== null) return { message: tooMuch, line: null, column: null };
  try {
    templatesOf(source, kind);
    return null;
  } catch (error) {
    return faultOf(error);
  }
}

/** The author can fix everything that a template throws: its syntax, its limits, a stack that is too deep. */
function faultOf(error: unknown): LiquidFault {
  const message = error instanceof Error ? error.message.replace(POSITION, "") : "unreadable";
  const [line = null, column = 1] = LiquidError.is(error) ? error.token.getPosition() : [];
  return { message, line, column: line === null ? null : column };
}

function refusal(error: unknown): ReturnType<typeof invalid> {
  const { message, line, column } = faultOf(error);
  const place = line === null ? "" : ` in line ${line}, column ${column}`;
  return invalid(`The Liquid template cannot be used${place}: ${message}.`);
}
