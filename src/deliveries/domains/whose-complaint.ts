import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";

/** So many domains that complain within a minute are no accident: it is the relay. */
const SEVERAL = 3;
const WITHIN_MS = MINUTE_MS;

type Sign = { readonly domain: string; readonly at: Instant };

/** Which domains a relay was offered mail for, and which complained; the newest first, each once. */
export type Signs = { readonly offered: readonly Sign[]; readonly complained: readonly Sign[] };

export const noSigns: Signs = { offered: [], complained: [] };

/** A message for the domain is offered to the relay. Called for every message: mostly it costs nothing. */
export function onOffered(signs: Signs, domain: string, now: Instant): Signs {
  const [newest] = signs.offered;
  if (newest?.domain === domain && newest.at === now) return signs;
  return { ...signs, offered: newestFirst(signs.offered, domain, now) };
}

/**
 * The relay said, to a recipient in the domain, that our mail comes too fast. Whose complaint that is: the
 * domain's, as long as other domains get mail through the same relay and only few complain; the relay's, where
 * several do, or all that got mail within the last minute.
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

/** No more are kept than the question needs. */
const newestFirst = (signs: readonly Sign[], domain: string, at: Instant): readonly Sign[] => {
  const others = signs.filter((sign) => sign.domain !== domain).slice(0, SEVERAL - 1);
  return [{ domain, at }, ...others];
};
