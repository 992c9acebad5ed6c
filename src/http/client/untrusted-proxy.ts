import ipaddr from "ipaddr.js";
import type { Log } from "#log.ts";
import type { TrustedProxies } from "./client-address.ts";

/**
 * Logs once that `X-Forwarded-For` comes from an address that is not a trusted proxy. Most often this is the
 * operator's own proxy. Then every visitor seems to have the proxy's address, and limits by address apply to
 * all of them together. The address is logged only if it is private, so that it is no person's.
 * @param peerOf the address of the connection that a request came by
 */
export function noticeUntrustedProxy(
  { isTrustedProxy, log }: { readonly isTrustedProxy: TrustedProxies; readonly log: Log },
  peerOf: (request: Request) => string,
): (request: Request) => void {
  let isTold = false;
  return (request) => {
    if (isTold || !request.headers.has("x-forwarded-for")) return;
    const peer = peerOf(request);
    if (isTrustedProxy(peer)) return;
    isTold = true;
    log.warn(
      "X-Forwarded-For is ignored: it came from an address that TRUSTED_PROXIES does not name. If that is your proxy, name it there: until then every visitor seems to have its address",
      { from: isPrivate(peer) ? peer : undefined },
    );
  };
}

const PRIVATE: readonly string[] = ["private", "uniqueLocal", "linkLocal", "carrierGradeNat", "loopback"];

const isPrivate = (address: string): boolean =>
  ipaddr.isValid(address) && PRIVATE.includes(ipaddr.process(address).range());
