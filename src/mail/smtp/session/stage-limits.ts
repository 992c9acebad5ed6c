import type { Stage } from "#core/smtp-reply.ts";

/** How long each part of a conversation may take before the connection is given up (RFC 5321 4.5.3.2). */
export type StageLimits = {
  readonly connectMs: number;
  /** Greeting, EHLO and STARTTLS together. */
  readonly greetingMs: number;
  readonly authMs: number;
  readonly mailMs: number;
  readonly rcptMs: number;
  readonly dataMs: number;
  /** The time until the last byte before the dot has left our own buffers. */
  readonly bodyMs: number;
  /** Long on purpose: if we give up here, nobody knows what happened to the message. */
  readonly dotMs: number;
  readonly quitMs: number;
};

export const stageLimits: StageLimits = {
  connectMs: 30_000,
  greetingMs: 120_000,
  authMs: 120_000,
  mailMs: 300_000,
  rcptMs: 300_000,
  dataMs: 120_000,
  bodyMs: 180_000,
  dotMs: 600_000,
  quitMs: 5_000,
};

/** The time limit for one reply of the envelope. */
export function envelopeLimitMs(limits: StageLimits, stage: Stage): number {
  if (stage === "MAIL") return limits.mailMs;
  return stage === "RCPT" ? limits.rcptMs : limits.dataMs;
}
