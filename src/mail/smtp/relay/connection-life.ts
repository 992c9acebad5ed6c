import type { Instant } from "#core/time/clock.ts";

/** When two connections ended after about the same number of messages, the relay has a rule for it. */
const ALIKE = 0.1;
/** The learned number is forgotten after this time: the relay's settings may have changed. */
const KNOWN_FOR_MS = 60 * 60_000;

/**
 * How one of our connections ended: after how many messages, which one it was in the order of their beginning, and how
 * many had begun until then.
 */
type End = { readonly served: number; readonly number: number; readonly begun: number };

/**
 * After how many messages the relay ends one of our connections (Exim, Postfix and Exchange do this). Closing it
 * ourselves just before is cheaper and safer: then no message of ours is in progress. A single end proves nothing,
 * because the relay may just have been restarted, or this server may have been stopped for a while. That ends all
 * connections, and they have served about as many messages each, so all of them together count as one end.
 */
export type Life = {
  readonly messages: number | null;
  readonly knownSince: Instant;
  /** The last end that counted. */
  readonly last: End | null;
};

export const unknownLife: Life = { messages: null, knownSince: 0, last: null };

/** Call this when the relay ended a connection between two messages. */
export function onEnded(life: Life, end: End, now: Instant): Life {
  const { last } = life;
  if (last !== null && end.number <= last.begun) return life;
  const { served } = end;
  const isAlike = last !== null && Math.abs(last.served - served) <= ALIKE * Math.max(last.served, served);
  return isAlike
    ? { messages: Math.min(served, last.served), knownSince: now, last: end }
    : { ...life, last: end };
}

/** Whether a connection that has served this many messages may get another one. */
export function mayServeMore({ messages, knownSince }: Life, served: number, now: Instant): boolean {
  return messages === null || served < messages || Math.abs(now - knownSince) >= KNOWN_FOR_MS;
}
