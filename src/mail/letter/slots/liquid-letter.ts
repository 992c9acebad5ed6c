import { escapeHtml } from "#core/text/html-escape.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { filledSubject } from "#mail/letter/subject.ts";
import type { Allowance } from "#mail/liquid/allowance.ts";
import { namesIn, type LiquidName } from "#mail/liquid/liquid-names.ts";
import {
  joinPieces,
  parseLiquid,
  type LiquidMoment,
  type LiquidPiece,
  type LiquidScope,
} from "#mail/liquid/liquid.ts";

/** The parts of a letter as their author wrote them; MJML is already compiled to HTML. */
export type AuthoredLetter = {
  readonly subject: string;
  readonly html: string;
  /** `""` if there is none. */
  readonly preheader: string;
  /** Null: it is made from the HTML. */
  readonly text: string | null;
};

/** A letter for one person. The pieces of the preheader are HTML on one line; empty if it has no text. */
export type FilledLetter = {
  readonly subject: string;
  readonly html: readonly LiquidPiece[];
  readonly preheader: readonly LiquidPiece[];
  readonly text: readonly LiquidPiece[] | null;
};

/** A letter whose templates were read once. @throws NeedsThread if the allowance is too small */
export type LiquidLetter = {
  fill(scope: LiquidScope, allowance: Allowance, moment?: LiquidMoment): Result<FilledLetter>;
};

/**
 * Reads the templates of a letter once. A template that cannot be read is refused each time it is filled in. Values
 * are HTML-escaped in the HTML and the preheader, and unchanged in the text; the subject is on one line.
 */
export function liquidLetter({ subject, html, preheader, text }: AuthoredLetter): LiquidLetter {
  const subjectTemplate = parseLiquid(subject, "line");
  const htmlTemplate = parseLiquid(html, "html");
  const preheaderTemplate = parseLiquid(preheader, "line");
  const textTemplate = text === null ? null : parseLiquid(text, "text");
  return {
    fill(scope, allowance, moment) {
      const line = filledSubject(subjectTemplate, scope, allowance, moment);
      if (!line.ok) return line;
      const page = htmlTemplate.ok ? htmlTemplate.value.pieces(scope, allowance, moment) : htmlTemplate;
      if (!page.ok) return page;
      const lead = preheaderTemplate.ok
        ? preheaderTemplate.value.pieces(scope, allowance, moment)
        : preheaderTemplate;
      if (!lead.ok) return lead;
      const own = textTemplate?.ok ? textTemplate.value.pieces(scope, allowance, moment) : textTemplate;
      if (own?.ok === false) return own;
      return accept({
        subject: line.value,
        html: page.value,
        preheader: preheader === "" ? [] : preheaderPieces(lead.value),
        text: own && own.value,
      });
    },
  };
}

/** The names that a letter's templates take from their scope. */
export const namesInLetter = ({ subject, html, preheader, text }: AuthoredLetter): LiquidName[] => [
  ...namesIn(subject, "line"),
  ...namesIn(html, "html"),
  ...namesIn(preheader, "line"),
  ...(text === null ? [] : namesIn(text, "text")),
];

/** A preheader that is not filled in: plain text, escaped for HTML. */
export const plainPreheader = (preheader: string): readonly string[] =>
  preheader === "" ? [] : [oneLineHtml(preheader)];

function preheaderPieces(pieces: readonly LiquidPiece[]): readonly LiquidPiece[] {
  if (joinPieces(pieces).trim() === "") return [];
  return pieces.map((piece) =>
    typeof piece === "string" ? oneLineHtml(piece) : { value: oneLineHtml(piece.value) },
  );
}

const oneLineHtml = (text: string): string => escapeHtml(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "));
