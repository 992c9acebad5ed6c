import { putLast } from "#core/remembered.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import type { SignMessage } from "#mail/dkim/dkim.ts";
import { dkimSigners } from "#mail/dkim/dkim-signers.ts";
import type { Signatures } from "#mail/dkim/threads/signature-threads.ts";
import type { RelayGroup } from "#mail/smtp/relay/relay-group.ts";
import { isQuiet } from "#workspaces/quiet-hours.ts";
import { optOutDomain } from "#workspaces/mail-in.ts";
import { sendingStoppedBy } from "#workspaces/sending-switch.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { decideSigning, senderOfToday } from "#workspaces/signing.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { MailKind } from "./mail-kind.ts";
import { returnLocalPart, type ReturnPurpose } from "./return-address.ts";
import { WorkspaceRelays, type WorkspaceRelaysParts } from "./workspace-relays.ts";

/**
 * How mail leaves: through which relays, who signs it, and where its bounces go. As long as nothing of it changes it is
 * the same object, so whoever has one can tell whether it still holds.
 */
export type WayOut = {
  readonly relays: RelayGroup;
  /** Whose mail it is, as a relay sees it: the author's address, and the domain for bounces if there is one. */
  readonly senderKey: string;
  /** Null: messages leave as they were composed. */
  readonly sign: SignMessage | null;
  /** The envelope sender of each message, by its number in the ledger. Null: the letter's own sender. */
  readonly returnTo: ((message: number) => string) | null;
  /** Where a message's recipient can opt out by mail. Null: nowhere. */
  readonly optOutTo: ((message: number) => string) | null;
};

/**
 * Why mail cannot leave now, in words for a report. `isOldSender`: the workspace's sender of today could be signed, and
 * this one cannot. `isQuiet`: it can when the quiet hours are over.
 */
export type Blocked = { readonly blocked: string; readonly isOldSender?: true; readonly isQuiet?: true };

export type WaysOut = {
  /** How a workspace's mail from an address leaves, or why it may not now. */
  of(workspaceId: string, kind: MailKind, from: string): Promise<WayOut | Blocked>;
  /** Why mail cannot leave now; null: it can. */
  blockedBy(workspaceId: string, kind: MailKind, from: string): Promise<string | null>;
  /** What is known of the relays that a workspace's mail goes through; none if they cannot be read. */
  standings(workspaceId: string, settings: Settings): ReturnType<RelayGroup["standings"]>;
  /**
   * One line for each of the service's relays that is held or refuses us. Everybody may read it (`/health`), so a
   * workspace's own relays are not in it: their trouble is in the log and in the workspace's reports.
   */
  troubles(): { relay: string; trouble: string }[];
  close(): void;
};

type Parts = WorkspaceRelaysParts & {
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  /** The secret that signs the addresses for bounces. */
  readonly secret: Uint8Array;
  /** Whether the service takes mail itself (`INBOUND_SMTP`). */
  readonly inboundSmtp?: boolean;
  readonly clock: Clock;
  /** Where messages are signed: the runtime's pool unless given. Closed with the rest. */
  readonly signatures?: Signatures;
};

export function waysOut(parts: Parts): WaysOut {
  const relays = new WorkspaceRelays(parts);
  const signerOf = dkimSigners(parts.signatures?.sign);
  const unlessChanged = keptWays();

  const signed = async (settings: Settings, from: string): Promise<Pick<WayOut, "sign"> | Blocked> => {
    const signing = decideSigning(settings, from);
    if (!signing.ok) {
      const { address: today } = senderOfToday(settings, { name: "", address: from });
      return { blocked: signing.refusal.message, ...(today === from ? {} : { isOldSender: true }) };
    }
    if (signing.value === null) return { sign: null };
    const sign = await signerOf(signing.value);
    if (sign.ok) return { sign: sign.value };
    const remedy = "Nothing is sent unsigned: put it back, or make another with postrider dkim create.";
    return { blocked: `${sign.refusal.message} ${remedy}` };
  };

  const of: WaysOut["of"] = async (workspaceId, kind, from) => {
    const settings = await parts.workspaces.settings(workspaceId);
    const stopped = stoppedBy(settings, kind, parts.clock.now());
    if (stopped !== null) return stopped;
    const signing = await signed(settings, from);
    if ("blocked" in signing) return signing;
    const group = relays.of(workspaceId, settings.smtpUrl);
    if ("blocked" in group) return group;
    const domains = returnDomains(settings, parts);
    const madeOf = [group, signing.sign, domains.bounces, domains.optOuts];
    return unlessChanged(`${workspaceId} ${from}`, madeOf, () => ({
      relays: group,
      senderKey: senderOf(settings, from),
      ...signing,
      ...comingBack(parts.secret, domains),
    }));
  };

  return {
    of,
    async blockedBy(workspaceId, kind, from) {
      const wayOut = await of(workspaceId, kind, from);
      return "blocked" in wayOut ? wayOut.blocked : null;
    },
    standings(workspaceId, settings) {
      const group = relays.of(workspaceId, settings.smtpUrl);
      return "blocked" in group ? [] : group.standings(senderOf(settings, settings.fromEmail));
    },
    troubles: () => relays.ofService().flatMap((group) => group.troubles()),
    close() {
      for (const group of relays.all()) group.close();
      parts.signatures?.close();
    },
  };
}

const senderOf = ({ bounceDomain }: Settings, from: string): string =>
  bounceDomain === "" ? from : `${from} by ${bounceDomain}`;

/** Requests may name many senders. One that was forgotten is made anew. */
const WAYS_KEPT = 1_000;

/** Gives what was made last for the same name, unless it would be made of something else now. */
function keptWays() {
  const kept = new Map<string, { readonly madeOf: readonly unknown[]; readonly wayOut: WayOut }>();
  return (name: string, madeOf: readonly unknown[], make: () => WayOut): WayOut => {
    const known = kept.get(name);
    const isSame = known?.madeOf.every((part, i) => part === madeOf[i]) === true;
    const wayOut = isSame ? known.wayOut : make();
    putLast(kept, name, { madeOf, wayOut }, WAYS_KEPT);
    return wayOut;
  };
}

/** The domains to which bounces and opt-outs come back; null: none do. */
type ReturnDomains = { readonly bounces: string | null; readonly optOuts: string | null };

const returnDomains = (
  settings: Settings,
  { inboundSmtp = false }: Pick<Parts, "inboundSmtp">,
): ReturnDomains => ({
  bounces: settings.bounceDomain || null,
  optOuts: optOutDomain(settings, { inboundSmtp }),
});

/** The addresses to which they come back, one for each message. */
function comingBack(
  secret: Uint8Array,
  { bounces, optOuts }: ReturnDomains,
): Pick<WayOut, "returnTo" | "optOutTo"> {
  const at = (purpose: ReturnPurpose, domain: string | null) =>
    domain === null ? null : (message: number) => `${returnLocalPart(secret, purpose, message)}@${domain}`;
  return { returnTo: at("bounce", bounces), optOutTo: at("unsubscribe", optOuts) };
}

/**
 * Why a workspace's settings keep mail of this kind from leaving now, even if its send has begun; null if they do
 * not.
 */
function stoppedBy(settings: Settings, kind: MailKind, now: Instant): Blocked | null {
  const blocked = sendingStoppedBy(settings);
  if (blocked !== null) return { blocked };
  return kind === "automation" && isQuiet(now, settings.quietHours, settings.timezone)
    ? { blocked: "Automation mail waits for the end of the quiet hours.", isQuiet: true }
    : null;
}
