import { about, fail, ok, warn, type Finding } from "#doctor/finding.ts";

export type Reached = {
  readonly baseUrl: string;
  /** The address that the server listens on. */
  readonly host: string;
  /** Whether TRUSTED_PROXIES is set. */
  readonly namesProxies: boolean;
};

/**
 * A server with an https address has a proxy in front of it. A proxy on this machine is trusted; any other
 * has to be named in TRUSTED_PROXIES. Otherwise every visitor seems to have the proxy's address, and limits
 * by address apply to all of them together.
 */
export function checkProxy({ baseUrl, host, namesProxies }: Reached): Finding {
  const check = about("trusted_proxies", "TRUSTED_PROXIES");
  if (namesProxies) return ok(check, "set");
  if (new URL(baseUrl).protocol !== "https:") return ok(check, "not set; BASE_URL speaks of no proxy");
  if (isThisMachine(host)) return ok(check, "not set; a proxy on this machine is believed");
  return warn(
    check,
    `not set, and the server listens on ${host}: of a proxy on another machine or in another container, X-Forwarded-For is ignored`,
    "set TRUSTED_PROXIES to the proxy's address, or to loopback where it runs on this machine",
  );
}

const isThisMachine = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || /^(?:127\.|\[?::1\]?$)/.test(host);

/**
 * BASE_URL is part of every link, also of List-Unsubscribe, for which mailbox providers require https (RFC
 * 8058, 3.1).
 * @param delivers whether mail really leaves this machine
 */
export function checkBaseUrl(baseUrl: string, delivers: boolean): Finding {
  const check = about("base_url", "BASE_URL");
  if (!delivers) return ok(check, `${baseUrl}; mail is captured, so nobody else follows it`);
  const { protocol, hostname } = new URL(baseUrl);
  if (isThisMachine(hostname))
    return fail(
      check,
      `${baseUrl} leads nowhere but to this machine`,
      "set BASE_URL to the https address people reach this service by",
    );
  return protocol === "https:"
    ? ok(check, baseUrl)
    : fail(
        check,
        `${baseUrl} is not https`,
        "put a proxy with a certificate in front and set BASE_URL to its https address: one-click unsubscribe needs it",
      );
}
