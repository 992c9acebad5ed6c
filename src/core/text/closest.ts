import { present } from "#core/present.ts";

/**
 * The word that a person most likely meant, for "did you mean …?"; null if none is close enough. Case, `-` and `_`
 * do not count: `from_email` is `fromEmail`. A word is close if at most one letter in three (but always one) was
 * added, left out, replaced or swapped with its neighbour. If none is close, the only word that begins with the
 * typed text is taken.
 */
export function closestOf(typed: string, known: readonly string[]): string | null {
  const wanted = bare(typed);
  if (wanted === "" || wanted.length > TYPED_MAX) return null;
  const near = known
    .map((word) => ({ word, slips: slipsBetween(wanted, bare(word)) }))
    .filter(({ word, slips }) => slips <= Math.max(1, Math.floor(bare(word).length / 3)))
    .toSorted((a, b) => a.slips - b.slips);
  return near[0]?.word ?? startedWord(wanted, known);
}

/** A longer word is not a typing mistake. */
const TYPED_MAX = 64;
const START_MIN = 3;

const bare = (word: string): string => word.toLowerCase().replaceAll(/[-_\s]/g, "");

function startedWord(start: string, known: readonly string[]): string | null {
  const started = start.length < START_MIN ? [] : known.filter((word) => bare(word).startsWith(start));
  const [only, ...others] = started;
  return only !== undefined && others.length === 0 ? only : null;
}

/**
 * The optimal string alignment distance: Levenshtein's distance, with two swapped neighbours counted as one
 * mistake.
 */
function slipsBetween(a: string, b: string): number {
  const at = (row: readonly number[], j: number): number => present(row[j], "cell left or above");
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const slips = Math.min(at(row, j - 1) + 1, at(above, j) + 1, at(above, j - 1) + same);
      row.push(swapped ? Math.min(slips, at(before, j - 2) + 1) : slips);
    }
    [before, above] = [above, row];
  }
  return at(above, b.length);
}
