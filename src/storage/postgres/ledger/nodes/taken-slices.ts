/**
 * The slices that this node has taken; another one has the deferred messages that another node left, with when they were
 * due for `lo`. A mailing may have several readers, and a slice that another node left may lie
 * before the position of each of them. So each goes back to the slices that were taken since it last read, whoever took
 * them, and also if a reading failed after it took one.
 */
export type TakenSlices = {
  /** A slice that begins here was taken. @returns its number, higher than all before */
  note(mailing: number, lo: number): number;
  /** The highest number of the mailing's slices; 0 if there are none. */
  newest(mailing: number): number;
  /** Where the first of the slices begins that were taken after this number; null if none was. */
  firstSince(mailing: number, number: number): number | null;
  /** Forgets those of all other mailings. */
  keepOnly(mailings: ReadonlySet<number>): void;
};

export function takenSlices(): TakenSlices {
  const taken = new Map<number, { readonly number: number; readonly lo: number }[]>();
  const of = (mailing: number) => taken.get(mailing) ?? [];
  let count = 0;
  return {
    note(mailing, lo) {
      taken.set(mailing, [...of(mailing), { number: ++count, lo }]);
      return count;
    },
    newest: (mailing) => of(mailing).at(-1)?.number ?? 0,
    firstSince(mailing, number) {
      const since = of(mailing).filter((slice) => slice.number > number);
      return since.length === 0 ? null : Math.min(...since.map(({ lo }) => lo));
    },
    keepOnly(mailings) {
      for (const mailing of taken.keys()) if (!mailings.has(mailing)) taken.delete(mailing);
    },
  };
}
