/**
 * The relays of one SMTP_URL as the sender uses them: their idle connections, how hard each may be pushed, and what is
 * wrong with it. Several relays are fail-over, in the order given: the next one is used only while those before it are held.
 */
import type { Clock, Instant } from "#core/clock.ts";
import { relayLabel, type RelayAddress } from "./relay-address.ts";
import { smtpSession, type SmtpSession } from "./smtp-session.ts";
import {
  allowed,
  initialThrottle,
  onAccepted,
  onTrouble,
  type RelayTrouble,
  type Throttle,
} from "./throttle.ts";

/**
 * Transactional mail and confirmations never wait behind a campaign: they have connections of their own, one for each
 * recipient of a request.
 */
export type Lane = "bulk" | "prompt";
const PROMPT_CONNECTIONS = 5;

/** Where somebody waits, a relay in trouble is asked again after a short pause, which doubles. */
const PROMPT_PAUSE_MS = 250;
const PROMPT_PAUSE_MAX_MS = 2_000;

/**
 * So many messages in a row that ended with a lost connection, and the relay is taken for broken: each costs its message an
 * attempt, and behind the dot leaves it uncertain, so a whole campaign must not run into that.
 */
const LOSSES_MAX = 50;

/** An idle connection is kept this long for the next message. */
const IDLE_MS = 5_000;

/** A connection taken for one message; give it back whatever happened. */
export type Lease = {
  readonly session: SmtpSession;
  readonly reused: boolean;
  readonly relay: Relay;
  readonly lane: Lane;
  /** Somebody waits for its message: its trouble is kept from the campaigns where it may be that message's own. */
  readonly isAwaited: boolean;
};

type Relay = {
  readonly address: RelayAddress;
  readonly label: string;
  throttle: Throttle;
  trouble: string | null;
  lossesInARow: number;
  /** Until when mail somebody waits for leaves it alone, and how often in a row it had to. */
  prompt: { readonly pausedUntil: Instant; readonly pauses: number };
  readonly used: Record<Lane, number>;
  idle: { session: SmtpSession; since: number }[];
  /** The earliest instant the next message may start, where the relay wants them spaced. */
  nextStartAt: Instant;
};

export type RelayGroup = {
  /**
   * A connection, or the instant to ask again; null: when one in use comes back. With `isAwaited` somebody waits for the
   * message now: then a relay that is held is no reason not to try it.
   */
  lease(lane: Lane, isAwaited?: boolean): Lease | { readonly retryAt: Instant | null };
  /** Whether the lease's connection may go on with the next message at once, as `lease` would give it out again. */
  mayGoOn(lease: Lease): boolean;
  giveBack(lease: Lease): void;
  accepted(lease: Lease): void;
  inTrouble(lease: Lease, trouble: RelayTrouble, detail: string): void;
  /** A message ended with its connection, without a reply. */
  lost(lease: Lease): void;
  /** One line for each relay that is held or refuses us. */
  troubles(): { relay: string; trouble: string }[];
  /** True while every relay is held. */
  readonly held: boolean;
  /** What keeps mail from going out: the first relay's trouble, when every one has some; null when mail goes out. */
  readonly stoppedBy: string | null;
  close(): void;
};

export function relayGroup(addresses: readonly RelayAddress[], clock: Clock): RelayGroup {
  const relays: Relay[] = addresses.map((address) => ({
    address,
    label: relayLabel(address),
    throttle: initialThrottle(address.maxConnections),
    trouble: null,
    lossesInARow: 0,
    prompt: NO_PAUSE,
    used: { bulk: 0, prompt: 0 },
    idle: [],
    nextStartAt: 0,
  }));
  let reaper: (() => void) | null = null;

  const isHeld = ({ throttle }: Relay): boolean => allowed(throttle, clock.now()).pausedUntil !== null;

  const trip = (relay: Relay, trouble: RelayTrouble, detail: string): void => {
    relay.throttle = onTrouble(relay.throttle, trouble, clock.now());
    relay.trouble = `${trouble}: ${detail}`;
  };

  const reap = (): void => {
    reaper = null;
    const oldest = clock.monotonicMs() - IDLE_MS;
    for (const relay of relays) {
      for (const { session } of relay.idle.filter(({ since }) => since <= oldest)) session.close();
      relay.idle = relay.idle.filter(({ since }) => since > oldest);
    }
    if (relays.some(({ idle }) => idle.length > 0)) reaper = clock.setTimer(IDLE_MS, reap);
  };

  /** When the prompt lane may use a relay; null: now. */
  const promptFrom = (relay: Relay, isAwaited: boolean, now: Instant): Instant | null => {
    const { pausedUntil } = relay.prompt;
    if (!isAwaited) return allowed(relay.throttle, now).pausedUntil;
    return pausedUntil > now && pausedUntil - now <= PROMPT_PAUSE_MAX_MS ? pausedUntil : null;
  };

  /** A relay that is held is the last resort: it may well answer somebody who asks now and then. */
  const leasePrompt = (isAwaited: boolean): Lease | { retryAt: Instant | null } => {
    const now = clock.now();
    let retryAt: Instant | null = null;
    for (const relay of relays.toSorted((a, b) => Number(isHeld(a)) - Number(isHeld(b)))) {
      const from = promptFrom(relay, isAwaited, now);
      if (from !== null) {
        retryAt = Math.min(retryAt ?? Infinity, from);
        continue;
      }
      if (relay.used.prompt >= PROMPT_CONNECTIONS) break;
      relay.used.prompt++;
      return take(relay, { lane: "prompt", isAwaited }, clock);
    }
    return { retryAt };
  };

  return {
    lease(lane, isAwaited = false) {
      if (lane === "prompt") return leasePrompt(isAwaited);
      const now = clock.now();
      let retryAt: Instant | null = null;
      for (const relay of relays) {
        const may = allowed(relay.throttle, now);
        const waitMs = relay.nextStartAt - now;
        // A longer wait than the spacing comes from a clock that was set back, and is not kept.
        const isTooSoon = waitMs > 0 && waitMs <= may.spacingMs;
        const waitUntil = may.pausedUntil ?? (isTooSoon ? relay.nextStartAt : null);
        if (waitUntil !== null) {
          retryAt = Math.min(retryAt ?? Infinity, waitUntil);
          if (may.pausedUntil === null) break;
          continue;
        }
        if (relay.used.bulk >= may.connections) break;
        relay.used.bulk++;
        relay.nextStartAt = now + may.spacingMs;
        return take(relay, { lane: "bulk", isAwaited: false }, clock);
      }
      return { retryAt };
    },

    mayGoOn({ session, relay, lane }) {
      if (lane !== "bulk" || !session.usable) return false;
      const now = clock.now();
      if (relays.find((other) => allowed(other.throttle, now).pausedUntil === null) !== relay) return false;
      const may = allowed(relay.throttle, now);
      return may.spacingMs === 0 && relay.used.bulk <= may.connections;
    },

    giveBack({ session, relay, lane }) {
      relay.used[lane]--;
      if (!session.usable) return session.destroy();
      relay.idle.push({ session, since: clock.monotonicMs() });
      reaper ??= clock.setTimer(IDLE_MS, reap);
    },

    accepted({ relay, isAwaited }) {
      if (isAwaited) relay.prompt = NO_PAUSE;
      relay.throttle = onAccepted(relay.throttle, clock.now());
      relay.lossesInARow = 0;
      // What is accepted during a hold was on its way before, and says nothing.
      if (!isHeld(relay)) relay.trouble = null;
    },

    inTrouble({ relay, isAwaited }, trouble, detail) {
      if (isAwaited) {
        relay.prompt = promptPause(relay.prompt, clock.now());
        // What one request chose (its sender, its content) may be refused without anything being wrong with a campaign.
        if (trouble === "config" || trouble === "block") return;
      }
      trip(relay, trouble, detail);
    },

    lost({ relay, isAwaited }) {
      // There the attempts are short, and it may have been us who cut the connection.
      if (isAwaited) return;
      relay.lossesInARow++;
      const suspected = relay.throttle.pauses > 0 || relay.lossesInARow >= LOSSES_MAX;
      if (suspected) trip(relay, "down", "it closes its connections in the middle of messages");
    },

    troubles: () =>
      relays.flatMap(({ label, trouble }) => (trouble === null ? [] : [{ relay: label, trouble }])),

    get held() {
      return relays.every(isHeld);
    },

    get stoppedBy() {
      const [first] = relays;
      return first && relays.every(({ trouble }) => trouble !== null)
        ? `${first.label}: ${first.trouble}`
        : null;
    },

    close() {
      reaper?.();
      for (const relay of relays) for (const { session } of relay.idle) session.close();
    },
  };
}

const NO_PAUSE = { pausedUntil: 0, pauses: 0 };

/** Trouble during a pause was on its way before it began and changes nothing. */
function promptPause(state: Relay["prompt"], now: Instant): Relay["prompt"] {
  if (state.pausedUntil > now) return state;
  const pauseMs = Math.min(PROMPT_PAUSE_MAX_MS, PROMPT_PAUSE_MS * 2 ** state.pauses);
  return { pausedUntil: now + pauseMs, pauses: Math.min(state.pauses + 1, 10) };
}

function take(relay: Relay, use: Pick<Lease, "lane" | "isAwaited">, clock: Clock): Lease {
  for (let kept = relay.idle.pop(); kept !== undefined; kept = relay.idle.pop()) {
    if (kept.session.usable) return { session: kept.session, reused: true, relay, ...use };
    kept.session.destroy();
  }
  return { session: smtpSession(relay.address, clock), reused: false, relay, ...use };
}
