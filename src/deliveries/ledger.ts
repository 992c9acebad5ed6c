/**
 * The ledger: one row per message, kept without a time limit.
 *
 *   queued --durable commit--> dot --250--> sent --later bounce--> bounced
 *     ^                         |--5xx--> failed, or bounced where the address itself is refused
 *     |------ 4xx, backoff -----|
 *     |                         '-- connection lost, no reply, restart --> uncertain (never queued again)
 *     |--> skipped (reason)      opted out, suppressed, blocked domain, contact gone, excluded by the caller,
 *     |                          or the whole send was stopped
 *     '--> failed or bounced     5xx before the dot, cannot be composed, out of time
 *   uncertain --evidence: a person's open or click, or a report about it--> sent
 *
 * There are no other transitions. Every update names the state that it leaves. A message's final dot is written
 * only after the row is durably `dot`. So a row that is `queued` after a crash was never delivered, and a row that
 * is `dot` is never tried again. A composer that throws (because a write failed, never because of the letter)
 * counts as a 4xx of our own: `COMPOSING_FAILED`, with backoff.
 *
 * A pause changes no row: while the mailing is paused, `queued --> dot` is refused. After a stop it is refused too,
 * and every row that is `queued` then, or comes back from its dot later, becomes `skipped`
 * (campaigns/send/send-control.ts). A request whose time is over is stopped in the same way, but its rows become
 * `failed` (transactional/store.ts).
 *
 * A report of failure may come at any time (`bounces/effect.ts`). For a message at its dot, or an uncertain one, it
 * shows that the relay had the message: the row becomes `sent`, and then `bounced`. A queued message becomes
 * `bounced` at once.
 */
import type { Contact } from "#contacts/contact.ts";
import type { LetterOptions } from "#mail/letter/letter-options.ts";
import type { MarketingSource } from "#mail/letter/marketing/marketing-mail.ts";
import type { Instant } from "#core/time/clock.ts";
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

export type SkipReason =
  | "EXCLUDED"
  | "SUPPRESSED"
  | "BLOCKED_DOMAIN"
  | "OPTED_OUT"
  | "CONTACT_GONE"
  | "STOPPED";

/** An owed row, as the sender takes it. `number` is the row's number in the ledger and part of its tokens. */
export type OwedMessage = {
  readonly number: number;
  readonly address: string;
  readonly attempts: number;
  readonly firstAttemptAt: Instant | null;
  /** When the row was read and nothing prevented sending it; null when something did. */
  readonly checkedAt: Instant | null;
  /** Where the recipient can opt out by mail; missing if the service takes no mail. */
  readonly unsubscribeMailbox?: string;
  /** The contact as read with the row, a moment ago. If missing, a letter that needs the contact reads it. */
  readonly person?: Contact;
};

/** Where a message's links lead, in their order; `personal`: whether the address contains a value of the contact. */
export type MessageLinks = { readonly urls: readonly string[]; readonly personal: readonly boolean[] };

/**
 * How far the rows of a mailing have been read. Only the ledger makes positions: `FRONT`, and the end of each
 * reading. `retries` of one position and `fresh` of another are a valid position too.
 */
export type OwedPosition = {
  readonly retries: RetryPosition;
  readonly fresh: number;
  /** Where nodes share the work: the newest of this node's slices that the reader knew of. */
  readonly slices?: number;
  /** The same for the deferred messages that this node has taken, its own too. */
  readonly leftRetries?: number;
};

/** The position of a deferred row: when it is due, and its number. */
export type RetryPosition = { readonly at: Instant; readonly number: number };

/** The start: nothing has been read. */
export const FRONT: OwedPosition = { retries: { at: 0, number: 0 }, fresh: 0 };

/** How a sending attempt ended. `reply` is the relay's reply, if there was one. */
export type Outcome =
  | { readonly state: "sent"; readonly reply: SmtpReply }
  | { readonly state: "bounced"; readonly reason: string; readonly reply: SmtpReply }
  | {
      readonly state: "failed";
      readonly reason: string;
      readonly reply: SmtpReply | null;
      /** Why the message could not be composed, in words. */
      readonly detail?: string;
    }
  | { readonly state: "uncertain"; readonly reason: string }
  | {
      readonly state: "queued";
      readonly reason: string;
      readonly reply: SmtpReply | null;
      readonly nextAttemptAt: Instant;
      /** As for a failed one. */
      readonly detail?: string;
    }
  /** The fault is the relay's or ours: the message is owed as before, and the attempt does not count. */
  | { readonly state: "untouched"; readonly reply: SmtpReply | null };

/** The state of a mailing. The numbers are written in the same transactions that move the rows. */
export type Progress = {
  readonly phase: "planning" | "sending" | "finished" | "stopped";
  readonly held: boolean;
  readonly planned: number;
  /** Messages still owed: queued, or at their dot now. */
  readonly remaining: number;
  readonly sent: number;
  readonly bounced: number;
  readonly failed: number;
  readonly uncertain: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Messages that the relay accepted, including those that bounced later. */
  readonly accepted: number;
  readonly opened: number;
  readonly clicked: number;
  readonly unsubscribed: number;
  readonly machineOpened: number;
  readonly machineClicked: number;
  /** Counted as people in `opened` and `clicked`, although the timing looks like a machine's. */
  readonly suspected: number;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
};

/** An open or click of a message, by a person or a machine. `message` is its number in the ledger. */
export type EngagementHit = {
  readonly message: number;
  readonly kind: "open" | "click";
  /**
   * `machine`: a client that says it is one. `suspect`: counted as a person, but its timing looks like a
   * machine's.
   */
  readonly by: "person" | "suspect" | "machine";
  /** When the first of these hits was. */
  readonly at: Instant;
  /** For a click: the link's number in the message, and the address that it led to. */
  readonly link: { readonly number: number; readonly url: string } | null;
  /** How many hits there were since the last write. */
  readonly times: number;
};

/**
 * The letter of a mailing, frozen when its plan is complete. It has everything except what the service itself adds
 * when it sends. `offersPreferences` is not frozen: it says whether the workspace has public lists when the letter
 * is read.
 */
export type MailingContent = Omit<MarketingSource, "workspaceId" | "feedbackId" | "baseUrl"> & {
  /** How a campaign's letter is made from its text. Missing: it is HTML that is sent as written. */
  readonly options?: LetterOptions;
  /** What Liquid may use of the campaign. */
  readonly campaign?: { readonly name: string };
};
