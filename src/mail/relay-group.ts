/**
 * The relays of one SMTP_URL as the sender uses them: their idle connections, how hard each may be pushed, and what is
 * wrong with it. Several relays are fail-over, in the order given: the next one is used only while those before it are held.
 */
import type { Clock, Instant } from "#core/clock.ts";
import { relayLabel, type RelayAddress } from "./relay-address.ts";
import { smtpSession, type SmtpSession } from "./smtp-session.ts";
import { allowed, initialThrottle, onAccepted, onTrouble, type RelayTrouble, type Throttle } from "./throttle.ts";

/** Transactional mail and confirmations never wait behind a campaign: connections of their own. */
export type Lane = "bulk" | "prompt";
const PROMPT_CONNECTIONS = 2;

/** An idle connection is kept this long for the next message. */
const IDLE_MS = 5_000;

/** A connection taken for one message; give it back whatever happened. */
export type Lease = { readonly session: SmtpSession; readonly reused: boolean; readonly relay: Relay };

type Relay = {
  readonly address: RelayAddress;
  readonly label: string;
  throttle: Throttle;
  trouble: string | null;
  readonly used: Record<Lane, number>;
  idle: { session: SmtpSession; since: number }[];
  /** The earliest instant the next message may start, where the relay wants them spaced. */
  nextStartAt: Instant;
};

export type RelayGroup = {
  /** A connection, or the instant to ask again; null: when one in use comes back. */
  lease(lane: Lane): Lease | { readonly retryAt: Instant | null };
  giveBack(lease: Lease, lane: Lane): void;
  accepted(lease: Lease): void;
  inTrouble(lease: Lease, trouble: RelayTrouble, detail: string): void;
  /** One line for each relay that is held or refuses us. */
  troubles(): { relay: string; trouble: string }[];
  /** True while every relay is held. */
  readonly held: boolean;
  close(): void;
};

export function relayGroup(addresses: readonly RelayAddress[], clock: Clock): RelayGroup {
  const relays: Relay[] = addresses.map((address) => ({
    address,
    label: relayLabel(address),
    throttle: initialThrottle(address.maxConnections),
    trouble: null,
    used: { bulk: 0, prompt: 0 },
    idle: [],
    nextStartAt: 0,
  }));
  let reaper: (() => void) | null = null;

  const reap = (): void => {
    reaper = null;
    const oldest = clock.monotonicMs() - IDLE_MS;
    for (const relay of relays) {
      for (const { session } of relay.idle.filter(({ since }) => since <= oldest)) session.close();
      relay.idle = relay.idle.filter(({ since }) => since > oldest);
    }
    if (relays.some(({ idle }) => idle.length > 0)) reaper = clock.setTimer(IDLE_MS, reap);
  };

  return {
    lease(lane) {
      const now = clock.now();
      let retryAt: Instant | null = null;
      for (const relay of relays) {
        const may = allowed(relay.throttle, now);
        const waitUntil = may.pausedUntil ?? (relay.nextStartAt > now ? relay.nextStartAt : null);
        if (waitUntil !== null) {
          retryAt = Math.min(retryAt ?? Infinity, waitUntil);
          if (may.pausedUntil === null) break;
          continue;
        }
        if (relay.used[lane] >= (lane === "bulk" ? may.connections : PROMPT_CONNECTIONS)) break;
        relay.used[lane]++;
        relay.nextStartAt = now + may.spacingMs;
        return take(relay, clock);
      }
      return { retryAt };
    },

    giveBack({ session, relay }, lane) {
      relay.used[lane]--;
      if (!session.usable) return session.destroy();
      relay.idle.push({ session, since: clock.monotonicMs() });
      reaper ??= clock.setTimer(IDLE_MS, reap);
    },

    accepted({ relay }) {
      relay.throttle = onAccepted(relay.throttle, clock.now());
      relay.trouble = null;
    },

    inTrouble({ relay }, trouble, detail) {
      relay.throttle = onTrouble(relay.throttle, trouble, clock.now());
      relay.trouble = `${trouble}: ${detail}`;
    },

    troubles: () => relays.flatMap(({ label, trouble }) => (trouble === null ? [] : [{ relay: label, trouble }])),

    get held() {
      return relays.every(({ throttle }) => allowed(throttle, clock.now()).pausedUntil !== null);
    },

    close() {
      reaper?.();
      for (const relay of relays) for (const { session } of relay.idle) session.close();
    },
  };
}

function take(relay: Relay, clock: Clock): Lease {
  for (let kept = relay.idle.pop(); kept !== undefined; kept = relay.idle.pop()) {
    if (kept.session.usable) return { session: kept.session, reused: true, relay };
    kept.session.destroy();
  }
  return { session: smtpSession(relay.address, clock), reused: false, relay };
}
