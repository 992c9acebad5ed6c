import { LiquidError, toValueSync, type Template } from "liquidjs";
import { accept, invalid, type Result } from "#core/errors.ts";
import { FULL, NeedsThread, type Allowance, type Spending } from "./allowance.ts";
import {
  BoundedOutput,
  contextFor,
  ENGINES,
  PiecesOutput,
  spendingOf,
  type LiquidKind,
  type LiquidPiece,
} from "./liquid-engine.ts";
import { VALUES_MAX } from "#mail/letter/slots.ts";

export type { LiquidKind, LiquidPiece };

/** The names a template may use, each with plain data. Only own members of that data can be reached. */
export type LiquidScope = Readonly<Record<string, unknown>>;

/** Both methods throw NeedsThread where their allowance is below `FULL` and not enough. */
export type LiquidTemplate = {
  /** The template filled in. A refusal names the line and column where it stopped. */
  render(scope: LiquidScope, allowance?: Allowance): Result<string>;
  /**
   * The same result in its pieces. Joined, they are what `render` gives, except for line ends in `line`.
   * Everything is one piece where there are more values than a letter has slots for.
   */
  pieces(scope: LiquidScope, allowance?: Allowance): Result<readonly LiquidPiece[]>;
};

/** What can be read without keeping others waiting; an ordinary letter has a few dozen tags. */
const TAGS_MAX = 2_000;
const TAG_CHARACTERS_MAX = 64 * 1024;

const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
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
  const { tags, characters } = tagsIn(source);
  if (tags > TAGS_MAX) return invalid(`The Liquid template has more than ${TAGS_MAX} tags. Use fewer.`);
  if (characters > TAG_CHARACTERS_MAX)
    return invalid(
      `The Liquid template's tags have more than ${TAG_CHARACTERS_MAX} characters. Shorten them.`,
    );
  try {
    const templates = ENGINES[kind].parse(source);
    return accept({
      render: (scope, allowance = FULL) => render(templates, kind, scope, allowance),
      pieces: (scope, allowance = FULL) => pieces(templates, kind, scope, allowance),
    });
  } catch (error) {
    return refusal(error);
  }
}

/** How many tags and outputs a template has, and how long they are together. Counted without parsing it. */
function tagsIn(source: string): { tags: number; characters: number } {
  let [tags, characters] = [0, 0];
  for (let at = source.indexOf("{"); at !== -1; at = source.indexOf("{", at)) {
    const close = CLOSE[source[at + 1] ?? ""];
    if (close === undefined) {
      at++;
      continue;
    }
    const end = source.indexOf(close, at + 2);
    if (end === -1) break;
    tags++;
    characters += end - at;
    at = end + close.length;
  }
  return { tags, characters };
}

const CLOSE: Readonly<Record<string, string>> = { "{": "}}", "%": "%}" };

function render(
  templates: Template[],
  kind: LiquidKind,
  scope: LiquidScope,
  allowance: Allowance,
): Result<string> {
  const output = write(templates, kind, scope, allowance, (spending) => new BoundedOutput(spending));
  if (!output.ok) return output;
  const text = output.value.buffer.toWellFormed();
  return accept(kind === "line" ? text.replace(BREAKS, " ").trim() : text);
}

function pieces(
  templates: Template[],
  kind: LiquidKind,
  scope: LiquidScope,
  allowance: Allowance,
): Result<readonly LiquidPiece[]> {
  const output = write(templates, kind, scope, allowance, (spending) => new PiecesOutput(spending));
  if (!output.ok) return output;
  const wellFormed = output.value.pieces.map((piece) =>
    typeof piece === "string" ? piece.toWellFormed() : { value: piece.value.toWellFormed() },
  );
  if (wellFormed.length <= 2 * VALUES_MAX) return accept(wellFormed);
  return accept([wellFormed.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("")]);
}

function write<Output extends BoundedOutput>(
  templates: Template[],
  kind: LiquidKind,
  scope: LiquidScope,
  allowance: Allowance,
  outputFor: (spending: Spending) => Output,
): Result<Output> {
  try {
    const context = contextFor(kind, scope, allowance);
    const output = outputFor(spendingOf(context));
    toValueSync(ENGINES[kind].renderer.renderTemplates(templates, context, output));
    return accept(output);
  } catch (error) {
    if (LiquidError.is(error) && error.originalError instanceof NeedsThread) throw error.originalError;
    return refusal(error);
  }
}

/** The author can fix everything a template throws: its syntax, its limits, a stack that is too deep. */
function refusal(error: unknown): ReturnType<typeof invalid> {
  const message = error instanceof Error ? error.message.replace(POSITION, "") : "unreadable";
  const [line, column] = LiquidError.is(error) ? error.token.getPosition() : [];
  const place = line === undefined ? "" : ` in line ${line}, column ${column ?? 1}`;
  return invalid(`The Liquid template cannot be used${place}: ${message}.`);
}
