/**
 * One page of a list, newest first. `nextPosition` is where the next page starts; null on the last page. It is one
 * number, or several if the list is made of several lists.
 */
export type Page<T, Position = number> = {
  readonly items: readonly T[];
  readonly total: number;
  readonly nextPosition: Position | null;
};

/**
 * What a list route asks of a store. `before` is the position (in creation order) at which the last page
 * ended.
 */
export type PageRequest<Position = number> = { readonly limit: number; readonly before: Position | null };

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

/**
 * Reads the `limit` query parameter (docs/decisions.md "Pagination"). Digits, with an optional sign or
 * fraction, are truncated and clamped to 1..100. Anything else gives 20.
 */
export function parseLimit(text: string | undefined): number {
  if (text === undefined || !/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text.trim())) return LIMIT_DEFAULT;
  return Math.min(LIMIT_MAX, Math.max(1, Math.trunc(Number(text))));
}

/**
 * Makes a page from rows that were read with one row more than the limit: the extra row shows that there is a
 * next page.
 * @param rows at most `limit + 1` rows, newest first
 */
export function pageOf<Row, T>(
  rows: readonly Row[],
  total: number,
  limit: number,
  read: { position: (row: Row) => number; item: (row: Row) => T },
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(read.item),
    total,
    nextPosition: rows.length > limit && last !== undefined ? read.position(last) : null,
  };
}
