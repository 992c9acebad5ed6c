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
 * There are no other transitions; every update names the state it leaves. A message's final dot is written
 * only after the row is durably `dot`. So a row that is `queued` after a crash was never delivered, and a row
 * that is `dot` is never tried again. A composer that throws (a failing write, never the letter's fault)
 * counts as a 4xx of our own: `COMPOSING_FAILED`, and backoff.
 *
 * A pause changes no row: while its mailing is held, `queued --> dot` is refused. After a stop the same holds, and
 * every row that is `queued` then, or comes back from its dot later, becomes `skipped`
 * (campaigns/send/send-control.ts).
 *
 * A report of failure may come at any time (`bounces/effect.ts`). Of a message at its dot, or an uncertain one, it
 * shows that the relay had it: the row becomes `sent`, and then `bounced`. A queued one becomes `bounced` at once.
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
  /** Where its recipient can opt out by mail; missing where no mail comes in. */
  readonly unsubscribeMailbox?: string | null;
  /** Its contact, as it was when the row was read, a moment ago. Missing: a letter that needs it reads it. */
  readonly person?: Contact;
};

/** What a message's links lead to, in their order; `personal`: whether a value of its contact is in the address. */
export type MessageLinks = { readonly urls: readonly string[]; readonly personal: readonly boolean[] };

/**
 * How far the rows of a mailing were read. Only the ledger makes positions: `FRONT`, and what a reading reached.
 * `retries` of one and `fresh` of another are a position too.
 */
export type OwedPosition = { readonly retries: RetryPosition; readonly fresh: number };

/** A deferred row: when it is due, and its number. */
export type RetryPosition = { readonly at: Instant; readonly number: number };

/** Nothing was read. */
export const FRONT: OwedPosition = { retries: { at: 0, number: 0 }, fresh: 0 };

/** How a sending attempt ended. `reply` is the relay's reply, if there was one. */
export type Outcome =
  | { readonly state: "sent"; readonly reply: SmtpReply }
  | { readonly state: "bounced"; readonly reason: string; readonly reply: SmtpReply }
  | {
      readonly state: "failed";
      readonly reason: string;
      readonly reply: SmtpReply | null;
      /** Why the message could not be made, in words. */
      readonly detail?: string;
    }
  | { readonly state: "uncertain"; readonly reason: string }
  | {
      readonly state: "queued";
      readonly reason: string;
      readonly reply: SmtpReply | null;
      readonly nextAttemptAt: Instant;
    }
  /** The fault is the relay's or ours: the message is owed as before, and the attempt does not count. */
  | { readonly state: "untouched"; readonly reply: SmtpReply | null };

/** The state of a mailing. The numbers are written in the same transactions that move the rows. */
export type Progress = {
  readonly phase: "planning" | "sending" | "finished" | "stopped";
  readonly held: boolean;
  readonly planned: number;
  /** Owed: queued, or at its dot now. */
  readonly remaining: number;
  readonly sent: number;
  readonly bounced: number;
  readonly failed: number;
  readonly uncertain: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Accepted by the relay, also those that bounced later. */
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
  /** When it was first. */
  readonly at: Instant;
  /** Of a click: the link's number in the message, and the address that it led to. */
  readonly link: { readonly number: number; readonly url: string } | null;
  /** How often, since the hits before were written. */
  readonly times: number;
};

/**
 * The letter of a mailing, frozen when its plan is complete: everything except what the service itself adds
 * when it sends. `offersPreferences` is not frozen: it is whether the workspace has public lists when the letter
 * is read.
 */
export type MailingContent = Omit<MarketingSource, "workspaceId" | "feedbackId" | "baseUrl"> & {
  /** How a campaign's letter is made of its text; without them it is HTML that is sent as written. */
  readonly options?: LetterOptions;
  /** What Liquid may say of the campaign. */
  readonly campaign?: { readonly name: string };
};
