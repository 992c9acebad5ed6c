import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Clock } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { isForbiddenAddress, isForbiddenHost } from "./target.ts";

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveByDns: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** The addresses of a name are not looked up again for this long. */
const KEPT_MS = MINUTE_MS;
const NAMES_MAX = 1_000;

type Entry = { readonly addresses: readonly string[]; readonly until: number; next: number };
type Found =
  | { readonly address: string }
  | { readonly kind: "forbidden" | "failed"; readonly problem: string };

/** The addresses of webhooks' hosts, checked before one of them is used. */
export function addressBook(clock: Clock, resolve: Resolve) {
  const known = new Map<string, Entry>();

  const entryOf = async (host: string): Promise<Entry> => {
    const kept = known.get(host);
    if (kept !== undefined && kept.until > clock.monotonicMs()) return kept;
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    const entry = { addresses, until: clock.monotonicMs() + KEPT_MS, next: 0 };
    if (known.size >= NAMES_MAX) known.clear();
    if (addresses.length > 0) known.set(host, entry);
    return entry;
  };

  return {
    /** One of the host's addresses, if all of them are allowed. */
    async find(url: URL, allowPrivate: boolean): Promise<Found> {
      const forbidden = {
        kind: "forbidden",
        problem: `${url.host} is not a public address. Turn allowPrivateWebhooks on where that is meant.`,
      } as const;
      if (!allowPrivate && isForbiddenHost(url)) return forbidden;
      const { addresses, next } = await entryOf(hostOf(url));
      const address = addresses[next % addresses.length];
      if (address === undefined) return { kind: "failed", problem: `${hostOf(url)} has no address in DNS.` };
      return !allowPrivate && addresses.some(isForbiddenAddress) ? forbidden : { address };
    },

    /** No connection could be made, or it broke: the next attempt uses another of the host's addresses. */
    avoid(url: URL, address: string): void {
      const entry = known.get(hostOf(url));
      if (entry !== undefined && entry.addresses[entry.next % entry.addresses.length] === address)
        entry.next++;
    },
  };
}

/** The host without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");
