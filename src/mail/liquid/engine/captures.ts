/** `capture` and `echo`: what a block has written is limited as all output is, and in HTML it is not escaped a second time. */
import { CaptureTag, EchoTag, Value, type Context, type Emitter } from "liquidjs";
import { joinPieces, type LiquidPiece } from "#mail/liquid/liquid-pieces.ts";
import { Html, writtenInHtml } from "#mail/liquid/liquid-values.ts";
import { spendingOf } from "./fill-context.ts";
import { PiecesOutput } from "./outputs.ts";

/** Counts the text of its block against the limits for all output. */
export class BoundedCapture extends CaptureTag {
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
export class HtmlCapture extends BoundedCapture {
  protected override kept(pieces: readonly LiquidPiece[]): Html {
    return new Html(pieces);
  }
}

/** liquidjs makes text of the value before it is escaped, so the markup of a `capture` would be escaped again. */
export class HtmlEcho extends EchoTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    for (const value of this.arguments())
      if (value instanceof Value)
        emitter.write(writtenInHtml(yield value.value(context, false), spendingOf(context)));
  }
}
