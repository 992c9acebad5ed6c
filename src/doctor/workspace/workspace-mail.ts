import type { Clock } from "#core/time/clock.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { checkDns, type Dns, type SenderDomain } from "#doctor/dns/dns.ts";
import { about, fail, warn, type Finding } from "#doctor/finding.ts";
import { checkRelay } from "#doctor/relay.ts";
import { readSigningKey } from "#doctor/dns/signing-key.ts";

export type MailWorld = {
  readonly dns: Dns;
  readonly clock: Clock;
  /** Whether the service takes mail itself (`INBOUND_SMTP`). */
  readonly inboundSmtp?: boolean;
};

/** Checks the relays that a workspace has set for itself. */
export async function checkOwnRelays(settings: Settings, { clock }: MailWorld): Promise<Finding[]> {
  if (settings.smtpUrl === "") return [];
  const relays = parseRelayUrls(settings.smtpUrl);
  return relays.ok
    ? await checkRelays(relays.value, clock)
    : [
        fail(
          about("relay", "setting smtpUrl"),
          relays.refusal.message,
          "correct it with postrider settings set",
        ),
      ];
}

export const checkRelays = (relays: readonly RelayAddress[], clock: Clock): Promise<Finding[]> =>
  Promise.all(relays.map((relay) => checkRelay(relay, clock)));

/**
 * Checks what mailbox providers look up about a workspace's sender. Without a sender there is nothing to
 * check.
 */
export async function checkSenderDomain(
  settings: Settings,
  { dns, clock, inboundSmtp = false }: MailWorld,
): Promise<Finding[]> {
  const { fromEmail, bounceDomain, bounceMailbox } = settings;
  if (fromEmail === "") return [];
  const { dkim, findings } = signingOf(settings);
  const ways = { inboundSmtp, hasMailbox: bounceMailbox !== "" };
  const bounces = bounceDomain === "" ? {} : { bounces: { domain: bounceDomain, ...ways } };
  return [...findings, ...(await checkDns(dns, clock, { domain: domainOf(fromEmail), dkim, ...bounces }))];
}

function signingOf(settings: Settings): { dkim: SenderDomain["dkim"]; findings: Finding[] } {
  const { dkimDomain, dkimSelector, dkimPrivateKeyFile } = settings;
  const missing = (["dkimDomain", "dkimSelector", "dkimPrivateKeyFile"] as const).filter(
    (key) => settings[key] === "",
  );
  if (missing.length === 3)
    return {
      dkim: null,
      findings: [
        warn(
          about("dkim", "DKIM"),
          "mail is not signed here",
          "postrider dkim create, unless your relay signs",
        ),
      ],
    };
  const findings =
    missing.length === 0
      ? []
      : [
          fail(
            about("dkim", "DKIM"),
            `${missing.join(" and ")} not set, so ${dkimDomain === "" ? "mail is not signed" : "nothing is sent"}`,
            "set all three, or none",
          ),
        ];
  const key = dkimPrivateKeyFile === "" ? null : readSigningKey(dkimPrivateKeyFile);
  if (dkimDomain === "" || dkimSelector === "") return { dkim: null, findings };
  return {
    dkim: { name: `${dkimSelector}._domainkey.${dkimDomain}`, publicKey: key?.publicKey ?? null },
    findings: [...findings, ...(key?.findings ?? [])],
  };
}
