/**
 * What this node has taken of each mailing, and from which position on it has to be read. A position is a row
 * number for slices, and a time for deferred messages. A mailing may have several readers, and what is taken
 * may lie before the position of each of them. So each goes back to what was taken since it last read,
 * whoever took it, and also if a reading failed after it took something.
 */
export type TakenSlices = {
  /**
   * Something was taken that has to be read from here on.
   * @param from a position: a row number, or a time
   * @returns the number of what was taken, higher than all before
   */
  note(mailing: number, from: number): number;
  /** The highest number of what was taken of the mailing; 0 if nothing was. */
  newest(mailing: number): number;
  /** The first position of what was taken after this number; null if nothing was. */
  firstSince(mailing: number, number: number): number | null;
  /** Forgets those of all other mailings. */
  keepOnly(mailings: ReadonlySet<number>): void;
};

export function takenSlices(): TakenSlices {
  const taken = new Map<number, { readonly number: number; readonly from: number }[]>();
  const of = (mailing: number) => taken.get(mailing) ?? [];
  let count = 0;
  return {
    note(mailing, from) {
      taken.set(mailing, [...of(mailing), { number: ++count, from }]);
      return count;
    },
    newest: (mailing) => of(mailing).at(-1)?.number ?? 0,
    firstSince(mailing, number) {
      const since = of(mailing).filter((slice) => slice.number > number);
      return since.length === 0 ? null : Math.min(...since.map(({ from }) => from));
    },
    keepOnly(mailings) {
      for (const mailing of taken.keys()) if (!mailings.has(mailing)) taken.delete(mailing);
    },
  };
}
