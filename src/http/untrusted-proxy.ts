import ipaddr from "ipaddr.js";
import type { Log } from "#log.ts";
import type { TrustedProxies } from "./client-address.ts";

/**
 * Tells once that `X-Forwarded-For` comes from somewhere that is not trusted to send it. Most often that is the operator's own proxy: then
 * every visitor seems to have its address, and limits by address meet all of them together. The address is logged only where it is
 * no person's: a private one.
 * @param peerOf whose connection a request came by
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
