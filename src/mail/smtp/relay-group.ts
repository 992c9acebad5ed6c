/**
 * The relays of one SMTP_URL. Several are fail-over, in the order given: the next one is used only while those before it are held.
 */
import type { Clock, Instant } from "#core/clock.ts";
import type { Log } from "#log.ts";
import type { RelayAddress } from "./relay-address.ts";
import { Relay, type Lane, type Lease } from "./relay.ts";

export type RelayGroup = {
  /**
   * A connection, or the instant to ask again; null: when one in use comes back. With `isAwaited` somebody waits for the
   * message now: then a relay that is held is no reason not to try it.
   */
  lease(lane: Lane, isAwaited?: boolean): Lease | { readonly retryAt: Instant | null };
  /** Whether the lease's connection may go on with the next message at once, as `lease` would give it out again. */
  mayGoOn(lease: Lease): boolean;
  /** One line for each relay that is held or refuses us. */
  troubles(): { relay: string; trouble: string }[];
  /** True while every relay is held. */
  readonly held: boolean;
  /** What keeps mail from going out: the first relay's trouble, when every one has some; null when mail goes out. */
  readonly stoppedBy: string | null;
  close(): void;
};

export function relayGroup(addresses: readonly RelayAddress[], clock: Clock, log: Log): RelayGroup {
  const relays = addresses.map((address) => new Relay(address, clock, log));

  /** For somebody who waits, a relay that is held is the last resort. */
  const inTurn = (lane: Lane): readonly Relay[] =>
    lane === "bulk" || relays.length < 2
      ? relays
      : relays.toSorted((a, b) => Number(a.isHeld) - Number(b.isHeld));

  return {
    lease(lane, isAwaited = false) {
      let retryAt: Instant | null = null;
      for (const relay of inTurn(lane)) {
        const got = lane === "bulk" ? relay.leaseBulk() : relay.leasePrompt(isAwaited);
        if ("session" in got) return got;
        if (got.until !== null) retryAt = Math.min(retryAt ?? Infinity, got.until);
        if (!got.isHeld) break;
      }
      return { retryAt };
    },

    mayGoOn: (lease) => relays.find((relay) => !relay.isHeld) === lease.relay && lease.relay.mayGoOn(lease),

    troubles: () =>
      relays.flatMap(({ label, trouble }) => (trouble === null ? [] : [{ relay: label, trouble }])),

    get held() {
      return relays.every(({ isHeld }) => isHeld);
    },

    get stoppedBy() {
      const [first] = relays;
      return first && relays.every(({ trouble }) => trouble !== null)
        ? `${first.label}: ${first.trouble}`
        : null;
    },

    close() {
      for (const relay of relays) relay.close();
    },
  };
}
