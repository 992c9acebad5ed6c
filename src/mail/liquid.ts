import { Context, LiquidError, toValueSync, type Template } from "liquidjs";
import { accept, invalid, type Result } from "#core/errors.ts";
import { BoundedOutput, ENGINES, PiecesOutput, type LiquidKind, type LiquidPiece } from "./liquid-engine.ts";

export type { LiquidKind, LiquidPiece };

/** Names a template may use, each with plain data. Only own members of it can be reached. */
export type LiquidScope = Readonly<Record<string, unknown>>;

export type LiquidTemplate = {
  /** The template filled in. A refusal names the line and column where it stopped. */
  render(scope: LiquidScope): Result<string>;
  /** The same in its pieces: joined they are what `render` gives, but for line ends in `line`. */
  pieces(scope: LiquidScope): Result<readonly LiquidPiece[]>;
};

const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
const POSITION = /, (?:file:.*, )?line:\d+, col:\d+$/;

/**
 * Reads a Liquid template once for many renderings (decisions, section 7). Values are HTML-escaped in `html`, raw in `text`, and the
 * whole result of `line` is on one line. Unknown names are empty; unknown filters and tags are refused here, with line and column.
 * A value is never read as a template. Each rendering is bounded in time (500 ms), memory and length (2 MiB of characters).
 * There are no partial templates, `raw` and `cycle` do not exist, dates are shown in UTC.
 */
export function parseLiquid(source: string, kind: LiquidKind): Result<LiquidTemplate> {
  try {
    const templates = ENGINES[kind].parse(source);
    return accept({
      render: (scope) => render(templates, kind, scope),
      pieces: (scope) => pieces(templates, kind, scope),
    });
  } catch (error) {
    return refusal(error);
  }
}

function render(templates: Template[], kind: LiquidKind, scope: LiquidScope): Result<string> {
  const output = write(templates, kind, scope, new BoundedOutput());
  if (!output.ok) return output;
  const text = output.value.buffer.toWellFormed();
  return accept(kind === "line" ? text.replace(BREAKS, " ").trim() : text);
}

function pieces(templates: Template[], kind: LiquidKind, scope: LiquidScope): Result<readonly LiquidPiece[]> {
  const output = write(templates, kind, scope, new PiecesOutput());
  if (!output.ok) return output;
  return accept(
    output.value.pieces.map((piece) =>
      typeof piece === "string" ? piece.toWellFormed() : { value: piece.value.toWellFormed() },
    ),
  );
}

function write<Output extends BoundedOutput>(
  templates: Template[],
  kind: LiquidKind,
  scope: LiquidScope,
  output: Output,
): Result<Output> {
  const liquid = ENGINES[kind];
  try {
    const context = new Context({ ...scope }, liquid.options, { sync: true }, { liquid });
    toValueSync(liquid.renderer.renderTemplates(templates, context, output));
    return accept(output);
  } catch (error) {
    return refusal(error);
  }
}

/** Everything a template can throw is its author's to mend: its syntax, its limits, a stack too deep. */
function refusal(error: unknown): ReturnType<typeof invalid> {
  const message = error instanceof Error ? error.message.replace(POSITION, "") : "unreadable";
  const [line, column] = LiquidError.is(error) ? error.token.getPosition() : [];
  const place = line === undefined ? "" : ` in line ${line}, column ${column ?? 1}`;
  return invalid(`The Liquid template cannot be used${place}: ${message}.`);
}
