import { isoOf } from "#core/time/iso.ts";
import type { SlowedDomain } from "#deliveries/domains/lanes.ts";
import type { Instant } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { about, warn, type Finding } from "#doctor/finding.ts";

/** A shorter slow-down passes without help, and is not reported. */
const LONG_MS = 15 * MINUTE_MS;

/**
 * Domains that have slowed down a workspace's mail for a long time, because they say that it comes too fast.
 */
export const checkSlowedDomains = (slowed: readonly SlowedDomain[], now: Instant): Finding[] =>
  slowed.flatMap(({ domains, since }) => {
    if (now - since < LONG_MS) return [];
    return warn(
      about("slowed_domain", `mail to ${domains.join(", ")}`),
      `slowed down since ${isoOf(since)}: it says that our mail comes too fast`,
      "mail goes on slowly by itself; a limit in the setting domainLimits asks less of it from the start",
    );
  });
