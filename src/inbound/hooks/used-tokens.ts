import type { Instant } from "#core/clock.ts";

/** Tokens that are good for one request, until they would be too old anyway. */
export type UsedTokens = {
  /** Whether it was free until now. `release` makes it free again: the request failed, and comes again. */
  take(token: string, expiresAt: Instant, now: Instant): boolean;
  release(token: string): void;
};

/**
 * Kept in memory: after a restart a token could be used again, for the minutes until it is too old, and the
 * report that it carries would still count once.
 */
export function usedTokens(): UsedTokens {
  /** In the order in which they came, which is nearly that in which they end. */
  const used = new Map<string, Instant>();
  const forgetOld = (now: Instant): void => {
    for (const [token, expiresAt] of used) {
      if (expiresAt > now) return;
      used.delete(token);
    }
  };
  return {
    take(token, expiresAt, now) {
      forgetOld(now);
      if (used.has(token)) return false;
      used.set(token, expiresAt);
      return true;
    },
    release: (token) => void used.delete(token),
  };
}
