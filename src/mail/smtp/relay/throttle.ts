import type { Instant } from "#core/time/clock.ts";

const HOLD_MS = 60_000;
const CLEAN_MS = 60_000;
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000] as const;
const LOSING_PAUSES_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 240_000, 480_000, 900_000] as const;
/** A relay that lost messages is trusted again after this many accepted mails without a loss between them. */
const TRUSTED_AFTER = 50;
const WINDOW_MS = 10_000;
/** A shorter time of sending does not show a relay's speed: the first second is a burst. */
const MEASURED_AFTER_MS = 5_000;
/** After a longer gap without mail, a new measurement begins: a few single mails do not show a relay's speed either. */
const GAP_MS = 2_000;
const SLOWEST_PER_SECOND = 0.1;
/** If the speed is not known, the search starts here. */
const FIRST_PER_SECOND = 2;
const DOUBLE_AFTER_MS = 1_000;
/** A relay that is faster than this needs no limit. */
const FREE_PER_SECOND = 1_000;

/**
 * What is wrong with a relay. `rate`: we are too fast. `config`: our settings are wrong. `block`: it refuses us.
 * `down`: it does not answer. `losing`: the connection is lost at the dot, so nobody knows what happened to the
 * messages.
 */
export type RelayTrouble = "rate" | "config" | "block" | "down" | "losing";

/**
 * How hard one relay may be used. States in words: *free* (up to `connections`, no pause), *held*
 * (`pausedUntil` lies ahead, nothing starts), *probing* (a pause is over and one connection tries). Trouble
 * leads to held. The end of a pause leads to probing; after a rate reply it leads to free, but slower. An
 * accepted mail leads back to free. A relay that loses messages at the dot stays *distrusted* (one
 * connection, longer and longer pauses) until it accepted `TRUSTED_AFTER` mails without losing one.
 */
export type Throttle = {
  readonly maxConnections: number;
  readonly connections: number;
  /** Mails a second; null means as fast as the connections allow. */
  readonly perSecond: number | null;
  readonly stepPerSecond: number;
  /** While the speed is being searched: when it may double next. Null: the speed is known, and grows in steps. */
  readonly doublesAt: Instant | null;
  readonly pausedUntil: Instant | null;
  /** The intended length of the last pause. */
  readonly pauseMs: number;
  /** Pauses in a row without an accepted mail between them; above 0 means probing. */
  readonly pauses: number;
  /** Pauses since the relay began to lose messages, and mails accepted in a row since the last loss. */
  readonly distrust: { readonly pauses: number; readonly accepted: number } | null;
  readonly cleanSince: Instant | null;
  readonly window: Window;
};

type Window = {
  readonly startAt: Instant;
  readonly lastAt: Instant;
  readonly accepted: number;
  readonly beforePerSecond: number;
};

/** What may start now: the most connections in use, the least ms between two mails, and the end of a hold. */
type Allowance = {
  readonly connections: number;
  readonly spacingMs: number;
  readonly pausedUntil: Instant | null;
};

export function initialThrottle(maxConnections: number): Throttle {
  const most = Math.max(1, Math.floor(maxConnections));
  return {
    maxConnections: most,
    connections: most,
    perSecond: null,
    stepPerSecond: 0,
    doublesAt: null,
    pausedUntil: null,
    pauseMs: 0,
    pauses: 0,
    distrust: null,
    cleanSince: null,
    window: { startAt: 0, lastAt: 0, accepted: 0, beforePerSecond: 0 },
  };
}

/**
 * Call this for a refusal or loss that concerns the whole relay. A rate reply halves connections and speed
 * and holds everything for 60 s. Other trouble pauses for 5, 15, 30, 60 and then always 60 s; one probing
 * connection follows each pause. Losses at the dot pause for 5, 15, 30, 60 s, 2, 4, 8 and then always 15
 * minutes, also if mails were accepted between them. Trouble during a hold belongs to mails that were sent
 * before it, and changes nothing.
 */
export function onTrouble(state: Throttle, trouble: RelayTrouble, now: Instant): Throttle {
  if (isHeld(state, now)) return state;
  if (trouble === "rate") return slowDown(state, now);
  if (trouble !== "losing")
    return { ...held(state, pauseOf(PAUSES_MS, state.pauses), now), pauses: state.pauses + 1 };
  const pauses = state.distrust?.pauses ?? 0;
  return {
    ...held(state, pauseOf(LOSING_PAUSES_MS, pauses), now),
    distrust: { pauses: pauses + 1, accepted: 0 },
  };
}

/**
 * Call this for a mail the relay accepted. It ends probing, and after a minute of accepted mails without
 * trouble the limits rise one step. A mail from before a hold changes nothing.
 */
export function onAccepted(state: Throttle, now: Instant): Throttle {
  if (isHeld(state, now)) return state;
  // Instants that lie too far ahead were written before the clock was set back.
  const cleanSince = Math.min(state.cleanSince ?? now, now);
  const doublesAt = state.doublesAt === null ? null : Math.min(state.doublesAt, now + DOUBLE_AFTER_MS);
  const free = {
    ...state,
    doublesAt,
    pausedUntil: null,
    pauses: 0,
    distrust: lessDistrust(state.distrust),
    cleanSince,
    window: countAccepted(state.window, now),
  };
  const known = free.doublesAt === null ? free : lookForSpeed(free, free.doublesAt, now);
  return now - cleanSince >= CLEAN_MS ? climb(known, now) : known;
}

/** The relay was in trouble, and has not yet accepted enough to be trusted again. */
export const isOnTrial = ({ pauses, distrust }: Throttle): boolean => pauses > 0 || distrust !== null;

/**
 * What the relay may be given at `now`. A pause longer than intended means that the clock was set back, and is
 * ignored.
 */
export function allowed(state: Throttle, now: Instant): Allowance {
  const spacingMs = state.perSecond === null ? 0 : Math.ceil(1000 / state.perSecond);
  if (isHeld(state, now)) return { connections: 0, spacingMs, pausedUntil: state.pausedUntil };
  return { connections: isOnTrial(state) ? 1 : state.connections, spacingMs, pausedUntil: null };
}

const pauseOf = (pausesMs: readonly number[], before: number): number =>
  pausesMs[Math.min(before, pausesMs.length - 1)] ?? HOLD_MS;

const held = (state: Throttle, pauseMs: number, now: Instant): Throttle => ({
  ...state,
  pausedUntil: now + pauseMs,
  pauseMs,
  cleanSince: null,
});

const isHeld = ({ pausedUntil, pauseMs }: Throttle, now: Instant): boolean =>
  pausedUntil !== null && now < pausedUntil && pausedUntil - now <= pauseMs;

function lessDistrust(distrust: Throttle["distrust"]): Throttle["distrust"] {
  if (distrust === null || distrust.accepted + 1 >= TRUSTED_AFTER) return null;
  return { ...distrust, accepted: distrust.accepted + 1 };
}

/** Half of the relay's recent speed. If that is not known, it is searched: a slow start, doubled every second. */
function slowDown(state: Throttle, now: Instant): Throttle {
  const isOnItsWay = state.doublesAt !== null;
  const lately = (isOnItsWay ? null : speed(state.window, now)) ?? state.perSecond;
  const isLookedFor = lately === null;
  const half = isLookedFor ? FIRST_PER_SECOND : Math.min(lately, state.perSecond ?? lately) / 2;
  const perSecond = Math.max(SLOWEST_PER_SECOND, half);
  const window = {
    startAt: now + HOLD_MS,
    lastAt: now + HOLD_MS,
    accepted: 0,
    beforePerSecond: isLookedFor ? 0 : perSecond,
  };
  return {
    ...held(state, HOLD_MS, now),
    connections: Math.max(1, Math.floor(state.connections / 2)),
    perSecond,
    stepPerSecond: perSecond / 10,
    doublesAt: isLookedFor ? now + HOLD_MS + DOUBLE_AFTER_MS : null,
    window,
  };
}

function lookForSpeed(state: Throttle, doublesAt: Instant, now: Instant): Throttle {
  if (now < doublesAt || state.perSecond === null) return state;
  const perSecond = state.perSecond * 2;
  if (perSecond > FREE_PER_SECOND) return { ...state, perSecond: null, stepPerSecond: 0, doublesAt: null };
  return { ...state, perSecond, stepPerSecond: perSecond / 10, doublesAt: now + DOUBLE_AFTER_MS };
}

/** One step up. The speed limit is removed together with the last missing connection. */
function climb(state: Throttle, now: Instant): Throttle {
  const connections = Math.min(state.maxConnections, state.connections + 1);
  const limited = state.perSecond !== null && connections < state.maxConnections;
  return {
    ...state,
    connections,
    perSecond: limited ? (state.perSecond ?? 0) + state.stepPerSecond : null,
    doublesAt: limited ? state.doublesAt : null,
    cleanSince: now,
  };
}

function countAccepted(window: Window, now: Instant): Window {
  const { startAt, lastAt, accepted } = window;
  if (now < lastAt || now - lastAt > GAP_MS)
    return { startAt: now, lastAt: now, accepted: 1, beforePerSecond: 0 };
  if (now - startAt < WINDOW_MS) return { ...window, lastAt: now, accepted: accepted + 1 };
  const beforePerSecond = (accepted * 1000) / (now - startAt);
  return { startAt: now, lastAt: now, accepted: 1, beforePerSecond };
}

/**
 * Recent mails a second, or null if sending lasted too short a time. The window before counts too, since a new one
 * is almost empty.
 */
function speed({ startAt, accepted, beforePerSecond }: Window, now: Instant): number | null {
  const lastedMs = now - startAt;
  const inThisOne = lastedMs >= MEASURED_AFTER_MS ? (accepted * 1000) / lastedMs : 0;
  return Math.max(beforePerSecond, inThisOne) || null;
}
