/**
 * The ledger: one row per message, kept for ever.
 *
 *   queued --durable commit--> dot --250--> sent --later bounce--> bounced
 *     ^                         |--5xx--> failed, or bounced where the address itself is refused
 *     |------ 4xx, backoff -----|
 *     |                         '-- connection lost, no reply, restart --> uncertain (never queued again)
 *     |--> skipped (reason)      opted out, suppressed, blocked domain, contact gone, excluded by the caller
 *     '--> failed or bounced     5xx before the dot, cannot be composed, out of time
 *   uncertain --evidence: a person's open or click--> sent
 *
 * Only these arrows; every update names the state it leaves. A message's final dot is written only after the row is
 * durably `dot`, so a row that is `queued` after a crash was never delivered, and one that is `dot` is never tried again.
 * A composer that throws (a failing write, never the letter's fault) is a 4xx of our own: `COMPOSING_FAILED`, and backoff.
 */
import type { MarketingSource } from "#mail/letter/marketing-mail.ts";
import type { Instant } from "#core/clock.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";

export const DELIVERY_STATES = [
  "queued",
  "dot",
  "sent",
  "bounced",
  "failed",
  "uncertain",
  "skipped",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type SkipReason = "EXCLUDED" | "SUPPRESSED" | "BLOCKED_DOMAIN" | "OPTED_OUT" | "CONTACT_GONE";

/** A row that is owed, as the sender takes it. `number` is the row's place in the ledger and stands in its tokens. */
export type OwedMessage = {
  readonly number: number;
  readonly address: string;
  readonly attempts: number;
  readonly firstAttemptAt: Instant | null;
  /** When the row was read and nothing kept it from going out; null when something did. */
  readonly checkedAt: Instant | null;
};

/** What a sending attempt ended in. `reply` is what the relay said, where it said something. */
export type Outcome =
  | { readonly state: "sent"; readonly reply: SmtpReply }
  | { readonly state: "bounced"; readonly reason: string; readonly reply: SmtpReply }
  | { readonly state: "failed"; readonly reason: string; readonly reply: SmtpReply | null }
  | { readonly state: "uncertain"; readonly reason: string }
  | {
      readonly state: "queued";
      readonly reason: string;
      readonly reply: SmtpReply | null;
      readonly nextAttemptAt: Instant;
    }
  /** The relay's or our own fault: owed as before, and the attempt does not count. */
  | { readonly state: "untouched"; readonly reply: SmtpReply | null };

/** How a mailing stands; the numbers are kept in the transactions that move the rows. */
export type Progress = {
  readonly phase: "planning" | "sending" | "finished" | "stopped";
  readonly held: boolean;
  readonly planned: number;
  /** Owed: queued, or standing at its dot right now. */
  readonly remaining: number;
  readonly sent: number;
  readonly bounced: number;
  readonly failed: number;
  readonly uncertain: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Accepted by the relay, whether or not it came back later. */
  readonly accepted: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  readonly machineOpened: number;
  readonly machineClicked: number;
  /** Counted as people in `opened` and `clicked`, though the timing looks like a machine's. */
  readonly suspected: number;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
};

/** Somebody or something opened or clicked a message; `message` is its place in the ledger. */
export type EngagementHit = {
  readonly message: number;
  readonly kind: "open" | "click";
  /** A machine says so itself; a suspect is a person by the counters, whose timing looks like a machine's. */
  readonly by: "person" | "suspect" | "machine";
  readonly at: Instant;
};

/** The letter of a mailing, frozen when its plan is complete: all of it but what the service itself adds when it sends. */
export type MailingContent = Omit<MarketingSource, "workspaceId" | "feedbackId" | "baseUrl">;
