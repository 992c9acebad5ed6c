import type { Stage } from "#core/smtp-reply.ts";
import type { Meaning } from "./meaning.ts";
import type { TextMark } from "./reply-text.ts";

/** One row: every condition that is given must hold. `enhanced` sees "" when the reply has no enhanced code. */
export type Row = {
  readonly at?: readonly Stage[];
  readonly code?: RegExp;
  readonly enhanced?: RegExp;
  readonly text?: TextMark;
  readonly means: Meaning;
};

const MINUTE_MS = 60_000;
export const AT_OPENING: readonly Stage[] = ["CONNECT", "AUTH"];
export const AT_MESSAGE: readonly Stage[] = ["DATA", "DOT"];
export const NONE = /^$/;
/** No enhanced code, or one that says "other, undefined" (RFC 3463 3.1). */
export const VAGUE = /^$|^5\.(?:[015]\.0)$/;
export const PERMANENT = /^5/;
export const TRANSIENT = /^4/;

export const bounced = (reason: string): Meaning => ({ kind: "bounced", reason });
export const failed = (reason: string): Meaning => ({ kind: "failed", reason, strike: null });
export const strike = (reason: string, kind: "disabled" | "unknown_permanent" | "expired"): Meaning => ({
  kind: "failed",
  reason,
  strike: kind,
});
export const deferred = (reason: string, minutes = 1): Meaning => ({
  kind: "deferred",
  reason,
  minPauseMs: minutes * MINUTE_MS,
  strike: null,
});
export const relay = (trouble: "rate" | "config" | "block" | "down", reason: string): Meaning => ({
  kind: "relay",
  trouble,
  reason,
});

export const full: Meaning = {
  kind: "deferred",
  reason: "MAILBOX_FULL",
  minPauseMs: 15 * MINUTE_MS,
  strike: "full",
};
export const hostUnknown: Meaning = {
  kind: "deferred",
  reason: "HOST_UNKNOWN",
  minPauseMs: 15 * MINUTE_MS,
  strike: "host_unknown",
};
/** Until the quota is renewed the relay is probed with one message a minute. */
export const dailyLimit: Meaning = { kind: "relay", trouble: "rate", reason: "DAILY_LIMIT" };
