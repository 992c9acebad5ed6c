import { fail, ok, type Finding } from "./finding.ts";

/**
 * BASE_URL stands in every link, also in List-Unsubscribe, which mailbox providers take only with https (RFC 8058, 3.1).
 * @param delivers whether mail really leaves this machine
 */
export function checkBaseUrl(baseUrl: string, delivers: boolean): Finding {
  const check = "BASE_URL";
  if (!delivers) return ok(check, `${baseUrl}; mail is captured, so nobody else follows it`);
  const { protocol, hostname } = new URL(baseUrl);
  if (hostname === "localhost" || hostname.endsWith(".localhost") || /^(?:127\.|\[::1\])/.test(hostname))
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
