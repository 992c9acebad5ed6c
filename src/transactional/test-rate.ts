import type { Instant } from "#core/time/clock.ts";
import { HOUR_MS } from "#core/time/time.ts";

/** How many addresses a workspace may send tests to in any hour (docs/contract.md "Campaigns"). */
export const TEST_ADDRESSES_MAX = 60;
export const TEST_WINDOW_MS = HOUR_MS;

/** A test that was sent: when, and to how many addresses. */
export type EarlierTest = { readonly at: Instant; readonly addresses: number };

/**
 * Whether a test to this many addresses fits into the hour; if not, in how many seconds it will. `earlier` holds
 * the tests after `now - TEST_WINDOW_MS`, oldest first. Those later than `now` were written before the clock was
 * set back and are ignored.
 */
export function decideTest(
  earlier: readonly EarlierTest[],
  wanted: number,
  now: Instant,
): { readonly retryAfterS: number } | null {
  const counted = earlier.filter(({ at }) => at > now - TEST_WINDOW_MS && at <= now);
  let used = counted.reduce((sum, { addresses }) => sum + addresses, 0);
  let freeAt = now;
  for (const { at, addresses } of counted) {
    if (used + wanted <= TEST_ADDRESSES_MAX) break;
    used -= addresses;
    freeAt = at + TEST_WINDOW_MS;
  }
  return freeAt === now ? null : { retryAfterS: Math.ceil((freeAt - now) / 1000) };
}
