import { putLast } from "#core/remembered.ts";
import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";

/** docs/contract.md "Limits". */
const WINDOW_MS = 15 * MINUTE_MS;
const OF_ADDRESS_MAX = 5;
const OF_NETWORK_MAX = 20;
/**
 * Of each kind: more addresses or networks than fail within a quarter of an hour. Beyond it the oldest are forgotten,
 * never those of another kind: passkeys that nobody has cost next to nothing, and whoever has networks enough could send
 * as many of them as it takes until failed passwords are forgotten.
 */
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
  /** By kind, then by address or network. */
  readonly #failures = new Map<string, Map<string, Instant[]>>();

  /** When somebody may try again, in seconds; null if they may now, and then the attempt counts. */
  begin(attempt: Attempt, now: Instant): number | null {
    const limits = limitsOf(attempt);
    const wait = Math.max(...limits.map((limit) => this.#waitMs(limit, now)));
    if (wait > 0) return Math.ceil(wait / 1000);
    for (const limit of limits) this.#add(limit, now);
    return null;
  }

  /** The attempt that began at this instant did not fail. */
  takeBack(attempt: Attempt, begunAt: Instant): void {
    for (const { kind, key } of limitsOf(attempt)) {
      const known = this.#of(kind);
      const kept = known.get(key) ?? [];
      const at = kept.lastIndexOf(begunAt);
      if (at !== -1) kept.splice(at, 1);
      if (kept.length === 0) known.delete(key);
    }
  }

  #waitMs({ kind, key, countMax }: Limit, now: Instant): number {
    const inTheWay = this.#recent(kind, key, now).at(-countMax);
    return inTheWay === undefined ? 0 : inTheWay + WINDOW_MS - now;
  }

  /** Those later than `now` were written before the clock was set back, and are forgotten. */
  #recent(kind: string, key: string, now: Instant): Instant[] {
    const kept = this.#of(kind).get(key) ?? [];
    return kept.filter((at) => at > now - WINDOW_MS && at <= now);
  }

  #add({ kind, key }: Limit, now: Instant): void {
    const recent = [...this.#recent(kind, key, now), now];
    // The first keys are the ones that failed longest ago.
    putLast(this.#of(kind), key, recent, KNOWN_MAX);
  }

  #of(kind: string): Map<string, Instant[]> {
    const known = this.#failures.get(kind) ?? new Map<string, Instant[]>();
    this.#failures.set(kind, known);
    return known;
  }
}

type Limit = { readonly kind: string; readonly key: string; readonly countMax: number };

const limitsOf = ({ way, email, network }: Attempt): Limit[] => [
  ...(email === null ? [] : [{ kind: `${way} address`, key: email, countMax: OF_ADDRESS_MAX }]),
  { kind: `${way} network`, key: network, countMax: OF_NETWORK_MAX },
];
