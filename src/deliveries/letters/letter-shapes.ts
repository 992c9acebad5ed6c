import { lengthOf } from "#mail/letter/single/brief.ts";
import type { LetterPiece, MarketingLetter } from "#mail/letter/marketing/marketing-mail.ts";

/**
 * The limits of what is kept: characters of HTML in all letters together, and letters of one mailing. Without them,
 * a template that writes different text for each message would fill the memory.
 */
const CHARACTERS_MAX = 4_000_000;
const SHAPES_MAX = 16;

/**
 * The text a template wrote around its values, and the letter made from it. The letter is null if messages
 * like it are compiled one by one.
 */
type Shape = {
  readonly mailing: number;
  readonly pieces: readonly LetterPiece[];
  readonly letter: MarketingLetter | null;
};

/** Compiled letters, by mailing and by the text their templates wrote. The latest are kept. */
export function letterShapes() {
  /** Oldest first. */
  let kept: Shape[] = [];

  return {
    find(mailing: number, pieces: readonly LetterPiece[]): Shape | undefined {
      return kept.find((shape) => shape.mailing === mailing && isAlike(shape.pieces, pieces));
    },

    add(mailing: number, pieces: readonly LetterPiece[], letter: MarketingLetter | null): void {
      const own = kept.filter((shape) => shape.mailing === mailing);
      const dropped = own.slice(0, Math.max(0, own.length + 1 - SHAPES_MAX));
      kept = [...kept.filter((shape) => !dropped.includes(shape)), { mailing, pieces, letter }];
      let characters = kept.reduce((sum, shape) => sum + lengthOf(shape.pieces), 0);
      for (const oldest of kept.slice(0, -1)) {
        if (characters <= CHARACTERS_MAX) break;
        characters -= lengthOf(oldest.pieces);
        kept.shift();
      }
    },
  };
}

function isAlike(a: readonly LetterPiece[], b: readonly LetterPiece[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!isSame(a[at], b[at])) return false;
  return true;
}

function isSame(a: LetterPiece | undefined, b: LetterPiece | undefined): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return "token" in a ? "token" in b && a.token === b.token : "value" in b;
}
