import type { Instant } from "#core/clock.ts";

/** Two connections that ended after about the same number of messages ended by a rule of the relay's. */
const ALIKE = 0.1;
/** What was learned is looked at anew after so long: the relay may have been set up differently. */
const KNOWN_FOR_MS = 60 * 60_000;

/**
 * After how many messages a relay ends a connection of ours (Exim, Postfix and Exchange do). Ending it ourselves before is
 * cheaper, and safer: nothing of ours is on its way then. One end alone says nothing, the relay may just have been restarted.
 */
export type Life = {
  readonly messages: number | null;
  readonly knownSince: Instant;
  /** After how many the last connection ended. */
  readonly last: number | null;
};

export const unknownLife: Life = { messages: null, knownSince: 0, last: null };

/** The relay ended a connection between two messages, after `served` of them. */
export function onEnded(life: Life, served: number, now: Instant): Life {
  const { last } = life;
  const isAlike = last !== null && Math.abs(last - served) <= ALIKE * Math.max(last, served);
  return isAlike
    ? { messages: Math.min(served, last), knownSince: now, last: served }
    : { ...life, last: served };
}

/** Whether a connection that has served so many may be given another message. */
export function mayServeMore({ messages, knownSince }: Life, served: number, now: Instant): boolean {
  return messages === null || served < messages || Math.abs(now - knownSince) >= KNOWN_FOR_MS;
}
