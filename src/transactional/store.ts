import type { Instant } from "#core/time/clock.ts";
import type { Refusal, Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { SendAnswer, SendRow } from "./answer.ts";
import type { Message, MessageFilter, MessageReport } from "./message.ts";
import type { EarlierTest } from "./test-rate.ts";
import type { KeptRequest, KeyedRequest } from "#transactional/request/idempotency.ts";

/** A request as it is written to the ledger. */
export type NewSend = {
  readonly id: string;
  readonly workspaceId: string;
  /** In the order of the request. */
  readonly addresses: readonly string[];
  readonly tags: readonly string[];
  /** The letter's sender, kept for lists and reports of messages. The letter itself stays in memory. */
  readonly from: { readonly address: string };
  readonly keyed: KeyedRequest | null;
  /** The calendar month that the request counts in (`2026-11`). */
  readonly month: string;
  readonly now: Instant;
  /** What the key says about the request: continue (null), give the same answer again, or refuse. */
  repeat(kept: KeptRequest | null): Result<SendAnswer | null>;
  /** Whether `wanted` messages fit into the month's limit. */
  checkQuota(counts: { wanted: number; used: number }): Refusal | null;
};

export type Begun =
  /**
   * The request is committed. `mailing` is its number in the ledger; `owed` is how many messages were not
   * skipped.
   */
  | { readonly kind: "begun"; readonly mailing: number; readonly owed: number }
  | { readonly kind: "repeated"; readonly answer: SendAnswer }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export type BegunTest =
  | { readonly kind: "begun"; readonly mailing: number; readonly owed: number }
  | { readonly kind: "too many"; readonly retryAfterS: number };

/** A request that has begun. */
export type BegunSend = {
  readonly id: string;
  readonly workspaceId: string;
  readonly mailing: number;
  readonly owed: number;
  readonly keyed: KeyedRequest | null;
  /** When it began: `now` of NewSend. */
  readonly begunAt: Instant;
};

export type Conclusion = {
  readonly answer: SendAnswer;
  /** Nobody got anything: the key may be used again. */
  readonly isKeyFree: boolean;
  /** What became of the recipients who failed, each once: the reason, and what the relay said. */
  readonly failures: readonly string[];
};

/** A test of a campaign, as it is written to the ledger. */
type NewTest = {
  readonly id: string;
  readonly workspaceId: string;
  /** In the order of the request. */
  readonly addresses: readonly string[];
  readonly now: Instant;
  /** Whether the test fits, given the tests of the last hour, oldest first. */
  checkRate(earlier: readonly EarlierTest[]): { readonly retryAfterS: number } | null;
};

/** Requests of POST /send, and tests of campaigns. Every method is one transaction. */
export type SendStore = {
  findKey(workspaceId: string, key: string): Promise<KeptRequest | null>;
  /**
   * Writes everything that a request promises in one transaction: its key, its mailing, a row for every
   * recipient (skipped if the address is suppressed or its domain blocked), and its share of the month. Bytes
   * may go to a relay only after this. If the request is refused or repeated, nothing is written.
   */
  begin(send: NewSend): Promise<Begun>;
  /**
   * The same for a test. It belongs to no contact, reserves nothing of the month, and skips every suppressed
   * address.
   */
  beginTest(test: NewTest): Promise<BegunTest>;
  /**
   * Passes the recipients' rows, in the order of the request, to `decide`. If `decide` says so, the request is
   * closed in the same transaction: its key stores the answer, or becomes free. Another request may have the key by now,
   * because the answer to this call was lost and it was made again: that one's key stays. Returns what `decide` returned.
   */
  conclude(
    send: BegunSend,
    decide: (rows: readonly SendRow[]) => Conclusion | null,
  ): Promise<Conclusion | null>;
  /**
   * Marks every message that is still queued as failed, with this reason if it has none of its own. A message at its
   * dot keeps its outcome; if it comes back as owed, it has failed too (deliveries/moves/move.ts). So nothing of the
   * request is tried any more.
   */
  giveUp(mailing: number, reason: string, now: Instant): Promise<void>;
};

/** Messages of POST /send as they are looked up. */
export type MessageStore = {
  /** Newest first. */
  page(workspaceId: string, filter: MessageFilter, request: PageRequest): Promise<Page<Message>>;
  find(workspaceId: string, number: number): Promise<Message | null>;
  /** Reports about a message: at most one of each kind. */
  reports(number: number): Promise<MessageReport[]>;
};
