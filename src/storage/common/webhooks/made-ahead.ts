import type { Instant } from "#core/time/clock.ts";
import { aheadOf } from "#storage/common/engine/made-ahead.ts";
import { KEPT_MS } from "#webhooks/delivery.ts";

/** Deliveries have numbers in the order in which they were made. */
export type Made = { readonly seq: number; readonly createdAt: Instant };

type MadeReads = {
  /** The first with this number or a higher one. */
  from(seq: number): Promise<Made | null>;
  newest(): Promise<Made | null>;
};

/**
 * Deliveries that were made while the clock was ahead say that they are young, for as long as it was ahead, and stand
 * before all that were made later. Where the first ones are such, this finds the first behind them whose time can be
 * right. If that was made before `before`, so were all with lower numbers: returns its number, otherwise 0.
 *
 * It is found by halves, because there may be a million, and no index is by time. Their own times stay as they are,
 * because messages show them.
 */
export async function oldBefore({ from, newest }: MadeReads, before: Instant): Promise<number> {
  const isAhead = ({ createdAt }: Made): boolean => createdAt > aheadOf(before + KEPT_MS);
  const first = await from(0);
  if (first === null || !isAhead(first)) return 0;
  let right = await newest();
  // Either nothing is right, or the clock is behind now.
  if (right === null || isAhead(right)) return 0;
  // `right` is the first from `high` on, and the one at `low` was made ahead.
  for (let [low, high] = [first.seq, right.seq]; high - low > 1;) {
    const middle = Math.floor((low + high) / 2);
    const found: Made | null = await from(middle);
    if (found === null) return 0;
    if (isAhead(found)) low = found.seq;
    else [right, high] = [found, middle];
  }
  return right.createdAt < before ? right.seq : 0;
}
