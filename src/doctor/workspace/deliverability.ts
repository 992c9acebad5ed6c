import { sleep, type Clock } from "#core/time/clock.ts";
import { relayLabel, parseRelayUrls, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { Rates } from "#stats/rates.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { about, fail, ok, warn, type Finding } from "#doctor/finding.ts";
import { checkBaseUrl } from "#doctor/machine/public-address.ts";
import { recent } from "./recent.ts";
import { checkRelay } from "#doctor/relay.ts";
import { checkMailbox } from "./reports-in.ts";
import { checkReputation } from "./reputation.ts";
import { checkSenderDomain, type MailWorld } from "./workspace-mail.ts";
import type { TroubledWebhook } from "#webhooks/webhook.ts";
import type { SlowedDomain } from "#deliveries/domains/lanes.ts";
import { checkSlowedDomains } from "./slowed-domains.ts";
import { checkWebhooks } from "./webhooks.ts";
import { checkSettings } from "./workspace-settings.ts";

/** What the server knows about a relay from its own mail. */
type RelayStanding = {
  readonly relay: string;
  /** Why it does not take our mail; null if it does. */
  readonly trouble: string | null;
  /** Whether mail is on its way through it. */
  readonly isInUse: boolean;
};

export type DeliverabilityParts = MailWorld & {
  settingsOf(workspaceId: string): Promise<Settings>;
  /** The webhooks that have trouble. */
  webhooksOf(workspaceId: string): Promise<readonly TroubledWebhook[]>;
  /** The service's relays; null if its mail is captured. */
  readonly relays: readonly RelayAddress[] | null;
  readonly baseUrl: string;
  /** Of the last days. */
  ratesOf(workspaceId: string): Promise<Rates>;
  /** The domains to which a workspace's mail is slowed down. */
  slowedOf(workspaceId: string): readonly SlowedDomain[];
  /** Of the relays that a workspace's mail goes through. */
  standingsOf(workspaceId: string, settings: Settings): readonly RelayStanding[];
};

/** Relays and DNS are asked once in this time, however many requests come. */
const KEPT_MS = 60_000;
/**
 * A request waits this long for relays and DNS. The look-ups continue, and the next request gets what they
 * found.
 */
const WAIT_MS = 2_500;

export type Deliverability = { check(workspaceId: string): Promise<Finding[]> };

/**
 * What `postrider doctor` says of one workspace's mail, from within the server: its settings, the relays it
 * goes through, the records that mailbox providers look up, and the address in its links. Changes nothing and
 * sends nothing.
 */
export function deliverability(parts: DeliverabilityParts): Deliverability {
  const { clock, baseUrl } = parts;
  const greetings = recent<Finding>(clock, KEPT_MS);
  const senders = recent<Finding[]>(clock, KEPT_MS);
  const mailboxes = recent<Finding[]>(clock, KEPT_MS);

  const relayFindings = async (workspaceId: string, settings: Settings): Promise<Finding[]> => {
    const own = settings.smtpUrl === "" ? null : parseRelayUrls(settings.smtpUrl);
    if (own?.ok === false) return [unreadableRelays(own.refusal.message)];
    const relays = own?.value ?? parts.relays ?? [];
    const standings = parts.standingsOf(workspaceId, settings);
    const found = relays.map(async (relay): Promise<Finding> => {
      const standing = standings.find(({ relay: label }) => label === relayLabel(relay));
      const known = standing && fromMail(standing);
      return known ?? (await greetings.get(JSON.stringify(relay), () => checkRelay(relay, clock)));
    });
    return await Promise.all(found);
  };

  const senderFindings = (settings: Settings): Promise<Finding[]> => {
    const { fromEmail, bounceDomain, bounceMailbox, dkimDomain, dkimSelector, dkimPrivateKeyFile } = settings;
    const asked = JSON.stringify([
      fromEmail,
      bounceDomain,
      bounceMailbox !== "",
      dkimDomain,
      dkimSelector,
      dkimPrivateKeyFile,
    ]);
    return senders.get(asked, () => checkSenderDomain(settings, parts));
  };

  const mailboxFindings = ({ bounceMailbox }: Settings): Promise<Finding[]> =>
    bounceMailbox === ""
      ? Promise.resolve([])
      : mailboxes.get(bounceMailbox, () => checkMailbox({ bounceMailbox }, clock));

  return {
    async check(workspaceId) {
      const settings = await parts.settingsOf(workspaceId);
      const delivers = parts.relays !== null || settings.smtpUrl !== "";
      const slow = delivers
        ? [
            within(clock, about("relay", "relays"), relayFindings(workspaceId, settings)),
            within(clock, about("dns", "DNS"), senderFindings(settings)),
          ]
        : [Promise.resolve(CAPTURED)];
      const reading = within(clock, about("mailbox"), mailboxFindings(settings));
      const found = (await Promise.all([...slow, reading])).flat();
      const webhooks = checkWebhooks(await parts.webhooksOf(workspaceId));
      const reputation = checkReputation(await parts.ratesOf(workspaceId));
      return [
        ...checkSettings(workspaceId, settings),
        ...found,
        ...checkSlowedDomains(parts.slowedOf(workspaceId), clock.now()),
        ...reputation,
        checkBaseUrl(baseUrl, delivers),
        ...webhooks,
      ];
    },
  };
}

const CAPTURED: Finding[] = [
  warn(
    about("mail"),
    "captured, not delivered",
    "set SMTP_URL for the service, or smtpUrl for this workspace",
  ),
];

const unreadableRelays = (why: string): Finding =>
  fail(about("relay", "setting smtpUrl"), why, "correct it in the settings");

/**
 * Null if our mail tells nothing about a relay: then a connection may be opened. Not to a relay in use: it must
 * never get more connections than it was set up for.
 */
function fromMail({ relay, trouble, isInUse }: RelayStanding): Finding | null {
  const check = about("relay", `relay ${relay}`);
  if (trouble !== null)
    return fail(
      check,
      trouble,
      "look at the relay, and at the server's log; mail waits until it works again",
    );
  return isInUse ? ok(check, "mail is on its way through it") : null;
}

/** What was found, or after a while that it is still being looked up. */
function within(
  clock: Clock,
  check: ReturnType<typeof about>,
  found: Promise<Finding[]>,
): Promise<Finding[]> {
  const late = sleep(clock, WAIT_MS).then(() => [
    warn(check, "still being looked up", "ask again in some seconds"),
  ]);
  return Promise.race([found, late]);
}
