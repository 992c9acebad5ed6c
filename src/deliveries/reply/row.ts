import type { Stage } from "#core/smtp-reply.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import type { Meaning } from "./meaning.ts";
import type { TextMark } from "./text.ts";
import type { StrikeKind } from "./strikes.ts";

/**
 * One row: every condition that is given must be true. `enhanced` gets "" when the reply has no enhanced
 * code.
 */
export type Row = {
  readonly at?: readonly Stage[];
  readonly code?: RegExp;
  readonly enhanced?: RegExp;
  readonly text?: TextMark;
  readonly means: Meaning;
};

export const AT_OPENING: readonly Stage[] = ["CONNECT", "AUTH"];
export const AT_MESSAGE: readonly Stage[] = ["DATA", "DOT"];
export const NONE = /^$/;
/** No enhanced code, or one that says "other, undefined" (RFC 3463 3.1). */
export const VAGUE = /^$|^5\.(?:[015]\.0)$/;
/**
 * A temporary status that says what is wrong, so the words are not needed (RFC 3463: detail 0 is "other").
 */
export const TELLING_TRANSIENT = /^4\.[0-9]{1,3}\.[1-9]/;
export const PERMANENT = /^5/;
export const TRANSIENT = /^4/;

export const bounced = (reason: string): Meaning => ({ kind: "bounced", reason });
export const failed = (reason: string): Meaning => ({ kind: "failed", reason, strike: null });
export const strike = (reason: string, kind: StrikeKind): Meaning => ({
  kind: "failed",
  reason,
  strike: kind,
});
export const deferred = (reason: string, strikeKind: StrikeKind | null = null): Meaning => ({
  kind: "deferred",
  reason,
  minPauseMs: 0,
  strike: strikeKind,
});
export const relay = (trouble: "rate" | "config" | "block" | "down", reason: string): Meaning => ({
  kind: "relay",
  trouble,
  reason,
});

export const full = deferred("MAILBOX_FULL", "full");
export const hostUnknown = deferred("HOST_UNKNOWN", "host_unknown");
/**
 * A greylisting server accepts the mail after some minutes, usually five, and not before. No other reply lengthens
 * the pause.
 */
export const greylisted: Meaning = {
  kind: "deferred",
  reason: "GREYLISTED",
  minPauseMs: 5 * MINUTE_MS,
  strike: null,
};
/** Until the quota is renewed, one message a minute tests the relay. */
export const dailyLimit: Meaning = { kind: "relay", trouble: "rate", reason: "DAILY_LIMIT" };
