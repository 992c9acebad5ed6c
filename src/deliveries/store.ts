import type { HourCount } from "./domains/hour-count.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Soon } from "#core/time/soon.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { DeliveryFilter, DeliveryRecord, ReasonCount } from "./delivery-record.ts";
import type {
  EngagementHit,
  MailingContent,
  MessageLinks,
  Outcome,
  OwedMessage,
  OwedPosition,
  Progress,
  SkipReason,
} from "./ledger.ts";
import type { MailKind } from "./mail-kind.ts";
import type { Claim, NotNow } from "./moves/claim.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";

/** A mailing the sender works on. `number` is its number in the ledger. */
export type MailingUnderWay = {
  readonly number: number;
  readonly workspaceId: string;
  readonly kind: MailKind;
  readonly sourceId: string;
};

/** A mailing that need not be in the ledger, such as that of a preview. */
export type MailingOrigin = Omit<MailingUnderWay, "number">;

/** The processes that send from the database. Each start is a new run, and run numbers are never reused. */
export type RunRegistry = {
  /**
   * Takes over the rows of runs that have ended. Each row at its dot becomes `uncertain`; what nobody waits for any
   * more fails (moves/left-behind.ts). Rows of a run that continues stay. Returns how many became `uncertain`.
   */
  sweep(now: Instant): Promise<number>;
  /**
   * Registers this process as a new run. With `hold`, every send in progress and every schedule, even a future one,
   * waits for `campaign release`. Both are durable together, so a crash cannot come between them.
   */
  join(now: Instant, hold: boolean): Promise<{ readonly run: number; readonly held: number }>;
  /**
   * Shows that this run continues. Returns the newest run number, by which an older copy of the database is
   * recognized; null if nothing was written since the last beat.
   */
  beat(now: Instant): Promise<number | null>;
};

export type LedgerStore = RunRegistry & {
  /**
   * Mailings with a complete plan that are not held and still owe messages, oldest first. A message at its dot is
   * still owed.
   */
  sendable(): Promise<MailingUnderWay[]>;
  content(mailing: number): Promise<MailingContent>;
  /** Replaces what the author wrote with the compiled HTML, before any message was made of it. */
  saveContent(mailing: number, content: MailingContent): Promise<void>;
  /** The contacts that messages are for, by their numbers; those that were deleted are missing. */
  people(messages: readonly number[]): Promise<ReadonlyMap<number, Contact>>;
  /** Keeps the person's values that the message's web version needs, as JSON, and when the message was made. */
  saveValues(message: number, kept: string, at: Instant): Promise<void>;
  /** A campaign's message that was tried, with its letter; null if its contact was deleted. */
  sentLetter(message: number): Promise<SentLetter | null>;
  /** Records the targets of a letter's links, in order; existing ones stay. */
  saveLinks(mailing: number, links: readonly string[]): Promise<void>;
  /**
   * The links of one message, if they may differ from those of its mailing. Equal links are stored only once;
   * personal ones only with the message, so that they are deleted with its contact. Undefined if there is nothing
   * to write.
   */
  saveMessageLinks(mailing: number, message: number, links: MessageLinks): Promise<void> | undefined;
  /** The address that a message's link leads to. */
  link(message: number, number: number): Soon<string | null>;
  progress(mailing: number): Promise<Progress>;
  /** Why messages of a mailing are in their state, the most common reason first. Counted when it happens. */
  reasons(mailing: number): Promise<ReasonCount[]>;
  /** The rows of a mailing, newest first. */
  deliveries(mailing: number, filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRecord>>;

  /**
   * The rows of a mailing that are owed now, after `from`: first deferred ones that are due, by time; then the
   * others, in plan order. At most `limit` of each. Every reading also returns deferred rows whose time is further
   * in the future than any pause. If only some domains are wanted, a few rows of others may be read too, but never
   * so many that anybody waits for them.
   */
  owed(mailing: number, from: OwedPosition, now: Instant, wanted: Wanted): Promise<OwedStretch>;
  /** How many messages to these domains were counted (`claimDot`) in each minute since `since`. */
  domainSends(workspaceId: string, domains: readonly string[], since: Instant): Promise<HourCount>;
  /**
   * How many messages of a workspace's campaigns the relay took, or refused because of their address, since this
   * instant, which lies on a quarter of an hour.
   */
  campaignMessagesSince(workspaceId: string, since: Instant): Promise<number>;
  /** When the next deferred row of a mailing in progress is due, among those due after this instant. */
  nextRetryAt(after: Instant): Promise<Instant | null>;

  /** Skips a row that may not be sent, before a connection is used for it. */
  skipIfBarred(message: number, now: Instant): Promise<"owed" | NotNow | SkipReason>;
  /**
   * The commit before the dot: `queued -> dot`, durable when this resolves. Refused if the person may no longer be
   * mailed (`queued -> skipped`), if its mailing is held, or if one of them is no longer owed. An `awaited` message is
   * committed at once. The others wait a moment, so that more of them share a commit. They do not wait with
   * `isLast`, if no other message is coming to its dot and no commit is under way. With `isCounted`, the same
   * commit counts the message for its domain (`domainSends`).
   */
  claimDot(
    message: number,
    run: number,
    now: Instant,
    urgency: Urgency,
    how: { readonly isCounted: boolean; readonly isLast: boolean },
  ): Promise<Claim>;
  /**
   * Records an attempt's outcome and, in the same transaction, everything that follows: counters, reservations
   * given back, suppression and BOUNCED contact, and the mailing finished when nothing is owed any more. `urgency`
   * as above.
   */
  settle(
    message: number,
    outcome: Outcome,
    now: Instant,
    strike: StrikeKind | null,
    urgency: Urgency,
  ): Promise<void>;

  /**
   * Opens and clicks, each counted once per message; those of machines are counted separately. Only a person's hit
   * (suspects included) is evidence that an uncertain message arrived. `isOpenedTooSoon` decides whether the first
   * open of a message is a suspect. Answers how many of them it recorded, from the first on: fewer than all where
   * webhooks would make the write so long that others wait, but always one.
   */
  recordEngagement(
    hits: readonly EngagementHit[],
    isOpenedTooSoon: (openedAt: Instant, acceptedAt: Instant | null) => boolean,
  ): Promise<number>;
  /** What an unsubscribe link needs to know about its message. */
  recipient(message: number): Promise<Recipient | null>;
  /** Marks a message's recipient as opted out; true the first time. */
  markUnsubscribed(message: number, now: Instant): Promise<boolean>;
};

/** Which rows to read, and how many at most. */
export type Wanted = {
  readonly limit: number;
  /** `all`: all domains except those in `domains`. `only`: those in `domains`. */
  readonly who: "all" | "only";
  readonly domains: readonly string[];
  /** Rows that are known already and are left out. */
  readonly except: ReadonlySet<number>;
  /** Whether the contacts are read too. */
  readonly withPeople: boolean;
};

/** The rows of a reading, and where the next one continues. `isEnd`: there are no more rows now. */
export type OwedStretch = {
  readonly messages: readonly OwedMessage[];
  readonly through: OwedPosition;
  readonly isEnd: boolean;
};

/** What a message can be made of again. `kept`: see `saveValues`. */
export type SentLetter = {
  readonly mailing: MailingUnderWay;
  readonly content: MailingContent;
  readonly address: string;
  readonly kept: string | null;
  readonly at: Instant;
};

export type Recipient = {
  readonly workspaceId: string;
  readonly mailing: number;
  readonly address: string;
  /** Null when the contact was deleted later. */
  readonly contactId: string | null;
  readonly unsubscribedAt: Instant | null;
};
