import { parseEmailAddress, parseHostName } from "#core/addresses/email-address.ts";
import type { Result } from "#core/errors/errors.ts";
import { hasControlCharacter } from "#core/text/text.ts";
import { listKind, textKind, type ValueKind } from "./setting-values.ts";

/** Empty, or what `parse` returns for the text. */
export const optional = (accepts: string, parse: (text: string) => string | undefined): ValueKind<string> =>
  textKind(`${accepts}, or empty`, (text) => (text === "" ? "" : parse(text)));

const valueOf = (result: Result<string>): string | undefined => (result.ok ? result.value : undefined);

export const emailAddress = optional("one email address such as news@example.com", (text) =>
  valueOf(parseEmailAddress(text)),
);

export const hostName = optional("a domain such as example.com", (text) => valueOf(parseHostName(text)));

const DOMAINS_MAX = 50;

function domainsOf(text: string): readonly string[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const domains = parts.map((part) => valueOf(parseHostName(part.toLowerCase())));
  const known = domains.filter((domain) => domain !== undefined);
  return known.length < parts.length || parts.length > DOMAINS_MAX ? undefined : [...new Set(known)];
}

/** Domains, each once. */
export const hostNames = listKind(
  {
    text: `domains such as example.com, at most ${DOMAINS_MAX} and separated by spaces, or empty for none`,
    json: `a list of at most ${DOMAINS_MAX} domains such as example.com, empty for none`,
  },
  domainsOf,
);

/** Its mailboxes have 41 characters before the `@`, and an address at most 254 (RFC 5321, 4.5.3.1.3). */
const BOUNCE_DOMAIN_MAX = 212;

export const bounceDomain = optional(
  `a domain of at most ${BOUNCE_DOMAIN_MAX} characters such as bounces.example.com`,
  (text) => {
    const domain = valueOf(parseHostName(text));
    return domain !== undefined && domain.length <= BOUNCE_DOMAIN_MAX ? domain : undefined;
  },
);

const SELECTOR = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/i;

/** The part before `._domainkey.` in the DNS (RFC 6376, 3.1). */
export const dkimSelector = optional("a DKIM selector such as mail2026", (text) =>
  text.length <= 63 && SELECTOR.test(text) ? text : undefined,
);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A Standard Webhooks secret. It never appears in a message. */
export const webhookSecret = optional("whsec_ and the base64 of 24 to 64 bytes", (text) => {
  const encoded = text.startsWith("whsec_") ? text.slice("whsec_".length) : "";
  const length = BASE64.test(encoded) ? Buffer.byteLength(encoded, "base64") : 0;
  return length >= 24 && length <= 64 ? text : undefined;
});

const RELAYS_MAX = 2000;

/**
 * Relays in fail-over order. Checks only the form: the code that opens the connection checks whether a relay
 * exists and what else its address may say.
 */
export const smtpUrls = optional(
  "smtp://host:port or smtps://host:port, several separated by spaces",
  (text) => {
    const relays = text.split(/ +/);
    return text.length <= RELAYS_MAX && !hasControlCharacter(text) && relays.every(isRelayUrl)
      ? relays.join(" ")
      : undefined;
  },
);

function isRelayUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "smtp:" || url.protocol === "smtps:") && url.hostname !== "";
}
