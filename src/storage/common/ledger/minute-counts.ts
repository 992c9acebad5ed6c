import { domainOf } from "#core/addresses/email-address.ts";
import { HOUR_MS } from "#core/time/time.ts";
import { minuteOf } from "#deliveries/domains/hour-count.ts";

/** Older minutes are deleted when their domain is counted again. */
export const MINUTES_KEPT_MS = 2 * HOUR_MS;

type MinuteCount = {
  readonly workspace: number;
  readonly domain: string;
  readonly at: number;
  readonly n: number;
};

/** Collects the messages to limited domains that a transaction counts, by minute. */
export function minuteCounts() {
  const counted = new Map<string, MinuteCount>();
  return {
    add(workspace: number, address: string, now: number): void {
      const [domain, at] = [domainOf(address), minuteOf(now)];
      const key = `${workspace} ${domain} ${at}`;
      const n = (counted.get(key)?.n ?? 0) + 1;
      counted.set(key, { workspace, domain, at, n });
    },
    all: (): readonly MinuteCount[] => [...counted.values()],
  };
}
