import { accept, refuse, type Result } from "#core/errors/errors.ts";

/** The site that a passkey is made for. */
export type Site = {
  /** The relying party's id (WebAuthn, section 5.1.2). */
  readonly host: string;
  /** The only origin whose pages may ask for it. */
  readonly origin: string;
};

/**
 * The site of this installation. Browsers make passkeys for host names under https, and for localhost
 * (WebAuthn, section 5.1.3; Secure Contexts, section 3.1); they make none for IP addresses.
 */
export function siteOf(baseUrl: string): Result<Site> {
  const { protocol, hostname: host, origin } = new URL(baseUrl);
  const isLocal = host === "localhost" || host.endsWith(".localhost");
  if (isAddress(host) || (protocol !== "https:" && !isLocal))
    return refuse(
      "WRONG_STATE",
      "Passkeys need a BASE_URL with https and a host name (or http://localhost). Sign in with the password.",
    );
  return accept({ host, origin });
}

/** An IP address, as `URL` writes it. */
const isAddress = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host);
