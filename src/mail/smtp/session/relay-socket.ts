import { connect, isIPv6, type Socket } from "node:net";
import { dnsCache, resolveHostname } from "nodemailer/lib/shared";

/**
 * If an address does not answer for so long, the next one is tried. A lost packet was sent again by then.
 * Three addresses take less time than the most urgent mail has (`src/deliveries/sender/attempt-limits.ts`).
 */
const NEXT_AFTER_MS = 2_000;
/** The same between IPv6 and IPv4 (RFC 8305, 5): one of them often leads nowhere. */
const OTHER_FAMILY_AFTER_MS = 250;

type Heard = { connected(socket: Socket): void; failed(error: Error): void };

/**
 * Connects to one of a host's addresses: if one refuses or does not answer, to the next. The last one may
 * take all of the caller's time, so it is the caller that gives up. `begun` gets the socket at once, to be
 * destroyed then.
 */
export async function openSocket(
  { host, port }: { readonly host: string; readonly port: number },
  limitMs: number,
  begun: (socket: Socket) => void,
  heard: Heard,
): Promise<void> {
  const addresses = await addressesOf(host, limitMs);
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const isMixed = new Set(all.map(({ family }) => family)).size > 1;
  const nextAfterMs = Math.min(NEXT_AFTER_MS, Math.floor(limitMs / all.length));
  const socket = connect({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: isMixed ? OTHER_FAMILY_AFTER_MS : Math.max(nextAfterMs, 10),
    lookup: (_host, _options, found) => setImmediate(() => found(null, all)),
  });
  const failed = (error: Error): void => heard.failed(lastOf(error));
  socket.once("error", failed);
  socket.once("connect", () => {
    socket.off("error", failed);
    heard.connected(socket);
  });
  begun(socket);
}

/** If all addresses refuse, Bun's error has no text of its own, only the errors of each. */
function lastOf(error: Error): Error {
  const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : null;
  return last instanceof Error ? last : error;
}

/** Begins with one at random, so that a relay's addresses share the mail; IPv6 first. Looked up as nodemailer does. */
function addressesOf(host: string, limitMs: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    resolveHostname({ host, timeout: limitMs }, (error, found) => {
      if (error) return reject(error);
      const known = dnsCache.get(host)?.value.addresses ?? [];
      const first = Math.max(0, known.indexOf(found?.host ?? ""));
      const all =
        known.length > 0 ? [...known.slice(first), ...known.slice(0, first)] : [found?.host ?? host];
      resolve(all.toSorted((a, b) => Number(isIPv6(b)) - Number(isIPv6(a))));
    });
  });
}
