import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";

/** A secret that a webhook had before. It signs too, until its receiver has had a day to change it. */
export type OldSecret = { readonly secret: string; readonly until: Instant };

/** How long a secret also signs after a new one was made. */
const OLD_SECRET_SIGNS_MS = DAY_MS;
/** A limit, because each is a signature in the header. */
const OLD_SECRETS_MAX = 8;

/**
 * The old secrets after `replaced` got a successor, newest first. Those from before keep their own time: nobody can
 * know which of them the receiver has.
 */
export const afterRotation = (
  replaced: string,
  old: readonly OldSecret[],
  now: Instant,
): [OldSecret, ...OldSecret[]] => [
  { secret: replaced, until: now + OLD_SECRET_SIGNS_MS },
  ...stillSigning(old, now).slice(0, OLD_SECRETS_MAX - 1),
];

export const stillSigning = (old: readonly OldSecret[], now: Instant): OldSecret[] =>
  old.filter(({ until }) => now < until);
