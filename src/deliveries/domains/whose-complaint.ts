import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";

/** When this many domains complain within a minute, it is no accident: the relay is the cause. */
const SEVERAL = 3;
const WITHIN_MS = MINUTE_MS;

type Sign = { readonly domain: string; readonly at: Instant };

/** Which domains a relay was offered mail for, and which complained; newest first, each domain once. */
export type Signs = { readonly offered: readonly Sign[]; readonly complained: readonly Sign[] };

export const noSigns: Signs = { offered: [], complained: [] };

/** A message for the domain is offered to the relay. Called for every message; usually it costs nothing. */
export function onOffered(signs: Signs, domain: string, now: Instant): Signs {
  const [newest] = signs.offered;
  if (newest?.domain === domain && newest.at === now) return signs;
  return { ...signs, offered: newestFirst(signs.offered, domain, now) };
}

/**
 * The relay said, about a recipient in the domain, that our mail comes too fast. Decides who complains. It is the
 * domain while only few domains complain and others get mail through the same relay. It is the relay when several
 * complain, or all that got mail within the last minute.
 */
export function judgeComplaint(
  signs: Signs,
  domain: string,
  now: Instant,
): { readonly signs: Signs; readonly of: "domain" | "relay" } {
  const offered = newestFirst(signs.offered, domain, now);
  const complained = newestFirst(signs.complained, domain, now);
  const inPlay = recent(offered, now).length;
  if (recent(complained, now).length >= Math.min(SEVERAL, inPlay))
    return { signs: { offered, complained: [] }, of: "relay" };
  return { signs: { offered, complained }, of: "domain" };
}

const recent = (signs: readonly Sign[], now: Instant): readonly Sign[] =>
  signs.filter(({ at }) => Math.abs(now - at) <= WITHIN_MS);

/** No more entries are kept than the decision needs. */
const newestFirst = (signs: readonly Sign[], domain: string, at: Instant): readonly Sign[] => {
  const others = signs.filter((sign) => sign.domain !== domain).slice(0, SEVERAL - 1);
  return [{ domain, at }, ...others];
};
