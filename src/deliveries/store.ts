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
import type { StrikeKind } from "#deliveries/reply/strikes.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";

/** A mailing the sender works on. `number` is its number in the ledger. */
export type MailingUnderWay = {
  readonly number: number;
  readonly workspaceId: string;
  readonly kind: MailKind;
  readonly sourceId: string;
};

/** The processes that send from the database. Each start of one is a run of its own, and no number comes twice. */
export type RunRegistry = {
  /**
   * Takes over what runs that have ended left: each row at its dot becomes `uncertain`, and what nobody waits for any
   * more fails (moves/left-behind.ts). Returns how many became `uncertain`. The rows of a run that goes on stay.
   */
  sweep(now: Instant): Promise<number>;
  /**
   * Enters this process as a new run. With `hold`, every send in progress and every schedule, also a future one, waits
   * for `campaign release`: durable with the run, so that no end of the process comes between them.
   */
  join(now: Instant, hold: boolean): Promise<{ readonly run: number; readonly held: number }>;
  /**
   * Shows that this run goes on. Returns the newest number of a run from now on, by which an older copy of the database
   * is known; null where nothing was written since the last beat.
   */
  beat(now: Instant): Promise<number | null>;
};

export type LedgerStore = RunRegistry & {
  /**
   * Mailings with a complete plan that are not held and still owe messages, oldest first. A message at its dot
   * counts as owed.
   */
  sendable(): Promise<MailingUnderWay[]>;
  content(mailing: number): Promise<MailingContent>;
  /** Puts a letter's compiled HTML in the place of what its author wrote, before any message was made of it. */
  saveContent(mailing: number, content: MailingContent): Promise<void>;
  /** The contacts that messages are for, by their numbers; those that were deleted are missing. */
  people(messages: readonly number[]): Promise<ReadonlyMap<number, Contact>>;
  /** Keeps what a message's web version needs of its person, as JSON, and when the message was made. */
  saveValues(message: number, kept: string, at: Instant): Promise<void>;
  /** A campaign's message that was tried, with its letter; null when its contact was deleted. */
  sentLetter(message: number): Promise<SentLetter | null>;
  /** Records the targets of a letter's links, in order; existing ones stay. */
  saveLinks(mailing: number, links: readonly string[]): Promise<void>;
  /**
   * The links of one message, where they may differ from those of its mailing. Equal ones are stored only
   * once; personal ones with the message alone, so that they go with its contact. Undefined where nothing is to
   * be written.
   */
  saveMessageLinks(mailing: number, message: number, links: MessageLinks): Promise<void> | undefined;
  /** The address that a message's link leads to. */
  link(message: number, number: number): Soon<string | null>;
  progress(mailing: number): Promise<Progress>;
  /** Why messages of a mailing are in the state they are in; counted while it happens, the most common first. */
  reasons(mailing: number): Promise<ReasonCount[]>;
  /** The rows of a mailing, newest first. */
  deliveries(mailing: number, filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRecord>>;

  /**
   * The rows of a mailing that are owed now, behind `from`: first deferred ones whose time has come, by that time;
   * then those that were not deferred, in plan order. At most `limit` of each. Deferred rows whose time lies
   * further ahead than any pause can reach come with each reading. Where domains are chosen, some rows of others
   * may be read on the way, so few that nobody waits for them.
   */
  owed(mailing: number, from: OwedPosition, now: Instant, wanted: Wanted): Promise<OwedStretch>;
  /** How many messages to these domains were counted (`claimDot`) in each minute since then. */
  domainSends(workspaceId: string, domains: readonly string[], since: Instant): Promise<HourCount>;
  /**
   * How many messages of a workspace's campaigns the relay took, or refused because of their address, since this
   * instant, which lies on a quarter of an hour.
   */
  campaignMessagesSince(workspaceId: string, since: Instant): Promise<number>;
  /** When the next deferred row of any mailing in progress is due, among those due after this instant. */
  nextRetryAt(after: Instant): Promise<Instant | null>;

  /** Skips a row that may not be sent, before a connection is used for it. */
  skipIfBarred(message: number, now: Instant): Promise<"owed" | "gone" | SkipReason>;
  /**
   * The commit before the dot: `queued -> dot`, durable when this resolves. It is refused where the person
   * may not be mailed any more (`queued -> skipped`), or where the row or its mailing is no longer owed
   * (`gone`). An `awaited` message is committed at once. The others wait a moment, so that more of them share a commit; not
   * so with `isLast`, if no other is coming to its dot and no commit is under way. With `isCounted`, the same commit
   * counts it for its domain (`domainSends`).
   */
  claimDot(
    message: number,
    run: number,
    now: Instant,
    urgency?: Urgency,
    how?: { readonly isCounted?: boolean; readonly isLast?: boolean },
  ): Promise<"dot" | "gone" | SkipReason>;
  /**
   * Records an attempt's outcome and its consequences in the same transaction: counters, reservations given
   * back, suppression and BOUNCED contact, and the mailing finished when nothing is owed any more.
   * `urgency` as above.
   */
  settle(
    message: number,
    outcome: Outcome,
    now: Instant,
    strike: StrikeKind | null,
    urgency?: Urgency,
  ): Promise<void>;

  /**
   * Opens and clicks, each counted once per message, those of machines separately. Only a person's (suspects
   * included) is evidence that an uncertain message arrived. `isOpenedTooSoon` decides whether the first open
   * of a message is a suspect.
   */
  recordEngagement(
    hits: readonly EngagementHit[],
    isOpenedTooSoon: (openedAt: Instant, acceptedAt: Instant | null) => boolean,
  ): Promise<void>;
  /** What an unsubscribe link needs to know about its message. */
  recipient(message: number): Promise<Recipient | null>;
  /** Marks a message's recipient as opted out; true the first time. */
  markUnsubscribed(message: number, now: Instant): Promise<boolean>;
};

/** Whose rows are read, and the most of them. */
export type Wanted = {
  readonly limit: number;
  /** `all`: but those in `domains`. `only`: those in `domains`. */
  readonly who: "all" | "only";
  readonly domains: readonly string[];
  /** Rows that are known already and are left out. */
  readonly except: ReadonlySet<number>;
  /** Whether they come with their contacts. */
  readonly withPeople: boolean;
};

/** Rows of a reading, and from where it goes on. `isEnd`: there is nothing behind that now. */
export type OwedStretch = {
  readonly messages: readonly OwedMessage[];
  readonly through: OwedPosition;
  readonly isEnd: boolean;
};

/** Which rows; null: any. `email` is an address in its stored form. */
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
