import { putLast } from "#core/remembered.ts";
import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";

/** docs/contract.md "Limits". */
const WINDOW_MS = 15 * MINUTE_MS;
const OF_ADDRESS_MAX = 5;
const OF_NETWORK_MAX = 20;
/** More addresses and networks than fail within a quarter of an hour; beyond it the oldest are forgotten. */
const KNOWN_MAX = 100_000;

/**
 * Who tries to sign in, and from where. Null: with a passkey that nobody has. Each way is counted separately:
 * failed guesses at somebody's password do not keep them from signing in with their passkey.
 */
export type Attempt = {
  readonly way: SignInWay;
  readonly email: string | null;
  readonly network: string;
};

/** A code is part of signing in with a password. */
export type SignInWay = "password" | "passkey";

/**
 * The failed sign-ins of the last quarter of an hour, in memory: a restart forgets them. An attempt counts as
 * failed from its start, so that many at once cannot get round the limit. A success takes it back.
 */
export class SignInFailures {
  readonly #failures = new Map<string, Instant[]>();

  /** When somebody may try again, in seconds; null if they may now, and then the attempt counts. */
  begin(attempt: Attempt, now: Instant): number | null {
    const limits = limitsOf(attempt);
    const wait = Math.max(...limits.map(({ key, countMax }) => this.#waitMs(key, countMax, now)));
    if (wait > 0) return Math.ceil(wait / 1000);
    for (const { key } of limits) this.#add(key, now);
    return null;
  }

  /** The attempt that began at this instant did not fail. */
  takeBack(attempt: Attempt, begunAt: Instant): void {
    for (const { key } of limitsOf(attempt)) {
      const kept = this.#failures.get(key) ?? [];
      const at = kept.lastIndexOf(begunAt);
      if (at !== -1) kept.splice(at, 1);
      if (kept.length === 0) this.#failures.delete(key);
    }
  }

  #waitMs(key: string, countMax: number, now: Instant): number {
    const inTheWay = this.#recent(key, now).at(-countMax);
    return inTheWay === undefined ? 0 : inTheWay + WINDOW_MS - now;
  }

  /** Those later than `now` were written before the clock was set back, and are forgotten. */
  #recent(key: string, now: Instant): Instant[] {
    return (this.#failures.get(key) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
  }

  #add(key: string, now: Instant): void {
    const recent = [...this.#recent(key, now), now];
    // The first keys are the ones that failed longest ago.
    putLast(this.#failures, key, recent, KNOWN_MAX);
  }
}

const limitsOf = ({ way, email, network }: Attempt) => [
  ...(email === null ? [] : [{ key: `${way} address ${email}`, countMax: OF_ADDRESS_MAX }]),
  { key: `${way} network ${network}`, countMax: OF_NETWORK_MAX },
];
