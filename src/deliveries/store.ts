import type { Instant } from "#core/clock.ts";
import type { Page, PageRequest } from "#core/page.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";
import type {
  DeliveryState,
  EngagementHit,
  MailingContent,
  Outcome,
  OwedMessage,
  Progress,
  SkipReason,
} from "./ledger.ts";
import type { MailKind } from "./mail-kind.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";

/** A mailing the sender works on. `number` is its place in the ledger. */
export type MailingUnderWay = {
  readonly number: number;
  readonly workspaceId: string;
  readonly kind: MailKind;
  readonly sourceId: string;
};

export type LedgerStore = {
  /**
   * Takes the database over: opens a new run, and turns what an earlier one left at its dot into `uncertain`.
   * With `hold`, everything under way and every schedule, also one that is still to come, waits for `campaign release`.
   */
  openRun(now: Instant, hold: boolean): Promise<{ run: number; uncertain: number; held: number }>;

  /** Mailings with a complete plan that are not held and owe something, oldest first. */
  sendable(): Promise<MailingUnderWay[]>;
  content(mailing: number): Promise<MailingContent>;
  /** Records the targets of a letter's links, in their order; known ones stay. */
  saveLinks(mailing: number, links: readonly string[]): Promise<void>;
  /** The links of one message, where they may differ from its mailing's: what is the same is recorded once. */
  saveMessageLinks(mailing: number, message: number, links: readonly string[]): Promise<void>;
  /** Where a message's link leads. */
  link(message: number, number: number): Promise<string | null>;
  progress(mailing: number): Promise<Progress>;
  /** The rows of a mailing, newest first, whatever became of them. */
  deliveries(mailing: number, state: DeliveryState | null, page: PageRequest): Promise<Page<Delivery>>;

  /** Owed rows that have not been deferred, in plan order, from behind `after`. */
  nextOwed(mailing: number, after: number, now: Instant, limit: number): Promise<OwedMessage[]>;
  /** Deferred rows whose time has come, or lies further ahead than any pause. */
  dueRetries(mailing: number, now: Instant, limit: number): Promise<OwedMessage[]>;
  /** When the next deferred row of any mailing under way is due, of those that are due after this instant. */
  nextRetryAt(after: Instant): Promise<Instant | null>;

  /** Skips a row that may not go out, before a connection is spent on it. */
  skipIfBarred(message: number, now: Instant): Promise<"owed" | "gone" | SkipReason>;
  /**
   * The commit before the dot: `queued -> dot`, durable when this resolves, unless the person may not be mailed any
   * more (`queued -> skipped`), or the row or its mailing is owed no longer (`gone`). What nobody `isAwaited` for may wait a
   * fraction of a millisecond for others to share its commit.
   */
  claimDot(
    message: number,
    run: number,
    now: Instant,
    isAwaited?: boolean,
  ): Promise<"dot" | "gone" | SkipReason>;
  /**
   * Records an attempt's outcome and everything that follows from it in the same transaction: counters, reservation
   * given back, suppression and BOUNCED contact, the mailing finished when nothing is owed any more. `isAwaited` as above.
   */
  settle(
    message: number,
    outcome: Outcome,
    now: Instant,
    strike: StrikeKind | null,
    isAwaited?: boolean,
  ): Promise<void>;

  /**
   * Opens and clicks, each counted once per message, a machine's apart. Only a person's (a suspect is one) is evidence
   * that an uncertain message arrived. `isOpenedTooSoon` makes a suspect of who opens a message for the first time.
   */
  recordEngagement(
    hits: readonly EngagementHit[],
    isOpenedTooSoon: (openedAt: Instant, acceptedAt: Instant | null) => boolean,
  ): Promise<void>;
  /** What an unsubscribe link needs to know of its message. */
  recipient(message: number): Promise<Recipient | null>;
  /** Marks a message's recipient as opted out; true the first time. */
  markUnsubscribed(message: number, now: Instant): Promise<boolean>;
};

/** A row of the ledger as its reader sees it. */
export type Delivery = {
  /** Null when the contact was deleted since. */
  readonly contactId: string | null;
  readonly email: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly reply: SmtpReply | null;
  readonly attempts: number;
  readonly sentAt: Instant | null;
};

export type Recipient = {
  readonly workspaceId: string;
  readonly mailing: number;
  readonly address: string;
  /** Null when the contact was deleted since. */
  readonly contactId: string | null;
  readonly unsubscribedAt: Instant | null;
};
