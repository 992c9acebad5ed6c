import { useMemo, useState } from "react";
import type { LetterProblem } from "../api/api.gen.ts";
import { pieceAt, type SourcePlace } from "../letter/piece-at.ts";
import { readLetter } from "../letter/read-letter.ts";
import type { WritingWay, Written } from "./writing-ways.ts";

export type ProblemPlaces = {
  /** A place to jump to. A new object jumps again. */
  readonly place: SourcePlace | null;
  /** What kind of block it is in; null where it is found only in the source. */
  kindOf(problem: LetterProblem): string | null;
  go(problem: LetterProblem): void;
};

const placeOf = ({ line, column }: LetterProblem): SourcePlace => ({ line: line ?? 1, column: column ?? 1 });

/**
 * Leads from what is wrong with a letter to where it is: to its block where the letter is shown as blocks, to
 * its line of the source where it is not, or where no block holds it.
 */
export function useProblemPlaces(
  { format, body }: Written,
  way: WritingWay,
  show: (way: WritingWay) => void,
): ProblemPlaces {
  const [place, setPlace] = useState<SourcePlace | null>(null);
  return useMemo(() => {
    const read = way === "blocks" && format === "mjml" ? readLetter(body) : null;
    const kindOf = (problem: LetterProblem): string | null =>
      read?.ok && problem.line !== null ? (pieceAt(read.letter, body, placeOf(problem))?.kind ?? null) : null;
    return {
      place,
      kindOf,
      go(problem) {
        show(kindOf(problem) === null ? "source" : "blocks");
        setPlace(placeOf(problem));
      },
    };
  }, [format, body, way, show, place]);
}
