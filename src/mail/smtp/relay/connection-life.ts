import type { Instant } from "#core/time/clock.ts";

/** When two connections ended after about the same number of messages, the relay has a rule for it. */
const ALIKE = 0.1;
/** The learned number is forgotten after this time: the relay's settings may have changed. */
const KNOWN_FOR_MS = 60 * 60_000;

/**
 * After how many messages the relay ends one of our connections (Exim, Postfix and Exchange do this). Closing it
 * ourselves just before is cheaper and safer: then no message of ours is in progress. A single end proves nothing,
 * because the relay may just have been restarted.
 */
export type Life = {
  readonly messages: number | null;
  readonly knownSince: Instant;
  /** The number of messages after which the last connection ended. */
  readonly last: number | null;
};

export const unknownLife: Life = { messages: null, knownSince: 0, last: null };

/** Call this when the relay ended a connection between two messages, after `served` messages. */
export function onEnded(life: Life, served: number, now: Instant): Life {
  const { last } = life;
  const isAlike = last !== null && Math.abs(last - served) <= ALIKE * Math.max(last, served);
  return isAlike
    ? { messages: Math.min(served, last), knownSince: now, last: served }
    : { ...life, last: served };
}

/** Whether a connection that has served this many messages may get another one. */
export function mayServeMore({ messages, knownSince }: Life, served: number, now: Instant): boolean {
  return messages === null || served < messages || Math.abs(now - knownSince) >= KNOWN_FOR_MS;
}
