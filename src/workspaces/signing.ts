import { domainOf } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { Settings } from "#workspaces/settings/settings.ts";

export type Signing = { readonly domain: string; readonly selector: string; readonly keyFile: string };

type DkimSettings = Pick<Settings, "dkimDomain" | "dkimSelector" | "dkimPrivateKeyFile">;

/**
 * How mail from an address is signed; null if the workspace does not sign (its relay may). Incomplete
 * settings are refused, and so is a domain that would not count for the address: such mail must wait and not
 * go out unsigned.
 */
export function decideSigning(settings: DkimSettings, fromAddress: string): Result<Signing | null> {
  const { dkimDomain: domain, dkimSelector: selector, dkimPrivateKeyFile: keyFile } = settings;
  if (domain === "") return accept(null);
  const missing = [
    ...(selector === "" ? ["dkimSelector"] : []),
    ...(keyFile === "" ? ["dkimPrivateKeyFile"] : []),
  ];
  if (missing.length > 0)
    return invalid(`dkimDomain is set, but ${missing.join(" and ")} not: set all three, or none.`);
  if (!isAligned(domain, fromAddress)) return invalid(notAligned(domain, fromAddress));
  return accept({ domain, selector, keyFile });
}

type Sender = { readonly name: string; readonly address: string };

/**
 * Who sends a letter that was planned with this sender: the same one. The workspace's sender of today only
 * where that one can be signed and the old one cannot, because the workspace has moved to another domain:
 * otherwise the letter would wait for ever.
 */
export function senderOfToday(
  settings: DkimSettings & Pick<Settings, "fromEmail" | "fromName">,
  planned: Sender,
): Sender {
  if (decideSigning(settings, planned.address).ok) return planned;
  const { fromName: name, fromEmail: address } = settings;
  return address !== "" && decideSigning(settings, address).ok ? { name, address } : planned;
}

/**
 * Whether a signature of this domain counts for mail from the address (DMARC, relaxed): it is the same domain
 * or a parent of it.
 */
export function isAligned(domain: string, fromAddress: string): boolean {
  return `.${domainOf(fromAddress)}`.endsWith(`.${domain}`);
}

export const notAligned = (domain: string, fromAddress: string): string =>
  `Mail from ${fromAddress} cannot be signed by ${domain}: the DKIM domain must be ${domainOf(fromAddress)} or a domain above it.`;

export type DnsRecord = { readonly name: string; readonly value: string };

/** The TXT record that receivers use to check signatures (RFC 6376, section 3.6.1). */
export function dkimRecord(domain: string, selector: string, publicKey: string): DnsRecord {
  return { name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}` };
}

const STRING_MAX = 255;

/** A TXT value as zone files write it: quoted strings of at most 255 characters (RFC 1035, section 3.3). */
export function zoneText(value: string): string {
  const strings = value.match(new RegExp(`.{1,${STRING_MAX}}`, "g")) ?? [];
  return strings.map((text) => `"${text}"`).join(" ");
}
