import type { Instant } from "#core/clock.ts";

const HOLD_MS = 60_000;
const CLEAN_MS = 60_000;
const WINDOW_MS = 10_000;
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000] as const;
const SLOWEST_PER_SECOND = 0.1;
/** Taken as the speed when nothing was accepted before the first refusal. */
const UNKNOWN_PER_SECOND = 2;

/** What is wrong with a relay: too fast for it, our settings, it refuses us, or it does not answer. */
export type RelayTrouble = "rate" | "config" | "block" | "down";

/**
 * How hard one relay may be pushed. States in prose: *free* (up to `connections`, no pause), *held* (`pausedUntil` ahead,
 * nothing starts), *probing* (a pause is over and one connection finds out). Trouble leads to held, a pause that ends leads
 * to probing (after a rate reply to free, but slower), an accepted mail leads back to free.
 */
export type Throttle = {
  readonly maxConnections: number;
  readonly connections: number;
  /** Mails a second, or null for as fast as the connections go. */
  readonly perSecond: number | null;
  readonly stepPerSecond: number;
  readonly pausedUntil: Instant | null;
  /** Pauses in a row without an accepted mail between them; above 0 means probing. */
  readonly pauses: number;
  readonly cleanSince: Instant | null;
  readonly window: { readonly startAt: Instant; readonly accepted: number; readonly beforePerSecond: number };
};

/** What may be started now: connections in use at most, ms between two mails at least, and the end of a hold. */
type Allowance = {
  readonly connections: number;
  readonly spacingMs: number;
  readonly pausedUntil: Instant | null;
};

export function initialThrottle(maxConnections: number): Throttle {
  const most = Math.max(1, Math.floor(maxConnections));
  const window = { startAt: 0, accepted: 0, beforePerSecond: 0 };
  return {
    maxConnections: most,
    connections: most,
    perSecond: null,
    stepPerSecond: 0,
    pausedUntil: null,
    pauses: 0,
    cleanSince: null,
    window,
  };
}

/**
 * A relay-wide refusal or loss. A rate reply halves connections and speed and holds everything for 60 s; other trouble pauses
 * for 5, 15, 30, 60 and then always 60 s, each pause followed by one probing connection. Trouble during a hold was on its way
 * before it began and changes nothing.
 */
export function onTrouble(state: Throttle, trouble: RelayTrouble, now: Instant): Throttle {
  if (isHeld(state, now)) return state;
  if (trouble === "rate") return slowDown(state, now);
  const pauseMs = PAUSES_MS[Math.min(state.pauses, PAUSES_MS.length - 1)] ?? HOLD_MS;
  return { ...state, pausedUntil: now + pauseMs, pauses: state.pauses + 1, cleanSince: null };
}

/** A mail the relay took: ends probing, and a minute of them without trouble climbs one step. One from before a hold says nothing. */
export function onAccepted(state: Throttle, now: Instant): Throttle {
  if (isHeld(state, now)) return state;
  const cleanSince = state.cleanSince ?? now;
  const free = {
    ...state,
    pausedUntil: null,
    pauses: 0,
    cleanSince,
    window: countAccepted(state.window, now),
  };
  return now - cleanSince >= CLEAN_MS ? climb(free, now) : free;
}

/** What the relay may be given at `now`. A pause longer than any we make comes from a clock that was set back and is not kept. */
export function allowed(state: Throttle, now: Instant): Allowance {
  const spacingMs = state.perSecond === null ? 0 : Math.ceil(1000 / state.perSecond);
  if (isHeld(state, now)) return { connections: 0, spacingMs, pausedUntil: state.pausedUntil };
  return { connections: state.pauses > 0 ? 1 : state.connections, spacingMs, pausedUntil: null };
}

function slowDown(state: Throttle, now: Instant): Throttle {
  const lately = speed(state.window, now) || UNKNOWN_PER_SECOND;
  const perSecond = Math.max(SLOWEST_PER_SECOND, Math.min(lately, state.perSecond ?? lately) / 2);
  const connections = Math.max(1, Math.floor(state.connections / 2));
  const window = { startAt: now + HOLD_MS, accepted: 0, beforePerSecond: perSecond };
  return {
    ...state,
    connections,
    perSecond,
    stepPerSecond: perSecond / 10,
    pausedUntil: now + HOLD_MS,
    cleanSince: null,
    window,
  };
}

/** One step up; the speed limit falls away with the last missing connection. */
function climb(state: Throttle, now: Instant): Throttle {
  const connections = Math.min(state.maxConnections, state.connections + 1);
  const limited = state.perSecond !== null && connections < state.maxConnections;
  return {
    ...state,
    connections,
    perSecond: limited ? (state.perSecond ?? 0) + state.stepPerSecond : null,
    cleanSince: now,
  };
}

const isHeld = (state: Throttle, now: Instant): boolean =>
  state.pausedUntil !== null && now < state.pausedUntil && state.pausedUntil - now <= HOLD_MS;

function countAccepted(window: Throttle["window"], now: Instant): Throttle["window"] {
  const { startAt, accepted } = window;
  if (now >= startAt && now - startAt < WINDOW_MS) return { ...window, accepted: accepted + 1 };
  return {
    startAt: now,
    accepted: 1,
    beforePerSecond: speed({ ...window, beforePerSecond: 0 }, Math.min(now, startAt + WINDOW_MS)),
  };
}

/** Mails a second taken lately; the window before counts too, since a new one is almost empty. */
function speed(window: Throttle["window"], now: Instant): number {
  const seconds = Math.max(1, (now - window.startAt) / 1000);
  return Math.max(window.beforePerSecond, window.accepted / seconds);
}
