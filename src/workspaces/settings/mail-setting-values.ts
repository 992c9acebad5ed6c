import { parseEmailAddress, parseHostName } from "#core/addresses/email-address.ts";
import { invalid, type Refusal, type Result } from "#core/errors/errors.ts";
import { hasControlCharacter } from "#core/text/text.ts";
import { parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { listKind, optional } from "./setting-values.ts";

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

const RELAYS_MAX = 2000;

/**
 * Relays in fail-over order. Checks only the form: the code that opens the connection checks whether a relay
 * exists and what else its address may say.
 */
export const smtpUrls = optional(
  "smtp://user:password@host:587 or smtps:, with special characters of the password percent-encoded; several separated by spaces",
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

const MAILBOX_CHARACTERS_MAX = 2000;

/** Only the form; see `checkMailbox`. */
export const mailboxUrl = optional("imaps://user:password@host/INBOX, or imap:, pop3s:, pop3:", (text) =>
  text.length <= MAILBOX_CHARACTERS_MAX && /^(?:imap|pop3)s?:\/\/\S+$/.test(text) ? text : undefined,
);

/** What is wrong with a mailbox, in more detail than its kind gives; null if nothing is. */
export function checkMailbox(bounceMailbox: string): Refusal | null {
  const parsed = bounceMailbox === "" ? null : parseMailboxUrl(bounceMailbox);
  return parsed === null || parsed.ok ? null : invalid(`bounceMailbox: ${parsed.refusal.message}`).refusal;
}
