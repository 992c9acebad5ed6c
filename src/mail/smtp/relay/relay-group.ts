/**
 * The relays of one SMTP_URL. Several are for fail-over, in the given order: the next relay is used only
 * while those before it are held, or in doubt: one message tries whether they work again, or they do not answer.
 */
import type { Clock, Instant } from "#core/time/clock.ts";
import type { Share } from "#core/share.ts";
import type { Log } from "#log.ts";
import type { RelayAddress } from "./relay-address.ts";
import { Relay, type Lease } from "./relay.ts";
import type { NewSession } from "#mail/smtp/session/smtp-outcome.ts";
import type { Urgency } from "./urgency.ts";

export type RelayGroup = {
  /**
   * A connection for a message of the sender, or the time at which to ask again. If that is null, ask again when a
   * connection in use is given back. `lostBy`: relays that lost the connection of this message, the last one last.
   * Another relay gets it that works, as soon as it has a connection.
   */
  lease(
    urgency: Urgency,
    sender: string,
    lostBy?: readonly Relay[],
  ): Lease | { readonly retryAt: Instant | null };
  /** Whether the lease's connection may take the next message at once, as if `lease` gave it out again. */
  mayGoOn(lease: Lease): boolean;
  /** One line for each relay that is held or refuses our mail. */
  troubles(): { relay: string; trouble: string }[];
  /** What is known about each relay from mail that was sent through it, in the given order, as a sender meets it. */
  standings(sender: string): { relay: string; trouble: string | null; isInUse: boolean }[];
  /** True while every relay is held, or refuses the sender. */
  isHeldFor(sender: string): boolean;
  /**
   * The reason why none of the sender's mail goes out: the first relay's trouble, when every relay has some. Null
   * when mail goes out. `passes`: one of them only limits the rate, and will take it by itself.
   */
  stoppedBy(sender: string): { readonly why: string; readonly passes: boolean } | null;
  close(): void;
};

export function relayGroup(
  addresses: readonly RelayAddress[],
  clock: Clock,
  log: Log,
  newSession: NewSession,
  share: Share,
): RelayGroup {
  const isAlone = addresses.length === 1;
  const relays = addresses.map((address) => new Relay(address, clock, log, newSession, share, isAlone));

  const mayBePassed = (relay: Relay, sender: string): boolean => relay.isHeldFor(sender) || relay.isInDoubt;

  /**
   * Campaigns keep to the order. For urgent mail, and for a message that was lost, relays that work come first; after
   * them one that is in doubt, then one that lost this message; for awaited mail even one that is held.
   */
  const inOrder = (urgency: Urgency, sender: string, lostBy: readonly Relay[]): readonly Relay[] => {
    if (isAlone || (urgency === "bulk" && lostBy.length === 0)) return relays;
    const doubtOf = (relay: Relay): number => {
      if (relay.isHeldFor(sender)) return lostBy.length + 2;
      const lost = lostBy.indexOf(relay);
      return lost === -1 ? Number(relay.isInDoubt) : lost + 2;
    };
    return relays.toSorted((a, b) => doubtOf(a) - doubtOf(b));
  };

  /** Whether a bulk message would still get this relay: no relay before it could be tried again. */
  const isFirst = ({ relay: wanted, sender }: Lease): boolean =>
    relays.find((relay) => relay === wanted || !mayBePassed(relay, sender)) === wanted;

  return {
    lease(urgency, sender, lostBy = []) {
      let retryAt: Instant | null = null;
      for (const relay of inOrder(urgency, sender, lostBy)) {
        const got = relay.lease(urgency, sender);
        if ("session" in got) return got;
        if (got.until !== null) retryAt = Math.min(retryAt ?? Infinity, got.until);
        if (!got.mayUseNext) break;
      }
      return { retryAt };
    },

    mayGoOn: (lease) => isFirst(lease) && lease.relay.mayGoOn(lease),

    troubles: () =>
      relays.flatMap(({ label, trouble }) => (trouble === null ? [] : [{ relay: label, trouble }])),

    standings: (sender) =>
      relays.map((relay) => {
        const { label, isInUse } = relay;
        return { relay: label, trouble: relay.troubleFor(sender), isInUse };
      }),

    isHeldFor: (sender) => relays.every((relay) => relay.isHeldFor(sender)),

    stoppedBy(sender) {
      const troubles = relays.map((relay) => relay.troubleFor(sender));
      const [first] = relays;
      if (!first || troubles.includes(null)) return null;
      return { why: `${first.label}: ${troubles[0]}`, passes: relays.some((relay) => relay.isSlowing) };
    },

    close() {
      for (const relay of relays) relay.close();
    },
  };
}
