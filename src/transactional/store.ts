import type { Instant } from "#core/clock.ts";
import type { Refusal, Result } from "#core/errors.ts";
import type { SendAnswer, SendRow } from "./answer.ts";
import type { KeptRequest, KeyedRequest } from "./idempotency.ts";

/** A request as the ledger gets it. */
export type NewSend = {
  readonly id: string;
  readonly workspaceId: string;
  /** In the order they were named. */
  readonly addresses: readonly string[];
  readonly tags: readonly string[];
  readonly keyed: KeyedRequest | null;
  /** The calendar month that is charged (`2026-11`). */
  readonly month: string;
  readonly now: Instant;
  /** What the key says about the request: go on (null), answer again, or refuse. */
  repeat(kept: KeptRequest | null): Result<SendAnswer | null>;
  /** Whether `wanted` messages fit the limit of the month. */
  checkQuota(counts: { wanted: number; used: number }): Refusal | null;
};

export type Begun =
  /** The request is committed. `mailing` is its place in the ledger, `owed` how many were not skipped. */
  | { readonly kind: "begun"; readonly mailing: number; readonly owed: number }
  | { readonly kind: "repeated"; readonly answer: SendAnswer }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** A request that was begun. */
export type Underway = {
  readonly id: string;
  readonly workspaceId: string;
  readonly mailing: number;
  readonly owed: number;
  readonly keyed: KeyedRequest | null;
};

export type Conclusion = {
  readonly answer: SendAnswer /** Nobody got anything: the key may be used again. */;
  readonly isKeyFree: boolean;
};

/** Requests of POST /send. Every method is one transaction. */
export type SendStore = {
  findKey(workspaceId: string, key: string): Promise<KeptRequest | null>;
  /**
   * Everything a request promises, at once: its key, its mailing, a row for every recipient (skipped where the address is
   * suppressed or its domain blocked), and its share of the month. After this, and not before, bytes may go to a relay.
   * Refused or repeated, it writes nothing.
   */
  begin(send: NewSend): Promise<Begun>;
  /**
   * Looks at the recipients' rows, in the order they were named, and closes the request in the same transaction if `decide`
   * says so: with the answer its key remembers, or freed. Returns what `decide` returned.
   */
  conclude(
    send: Underway,
    decide: (rows: readonly SendRow[]) => Conclusion | null,
  ): Promise<Conclusion | null>;
  /** What is still queued has failed, with this reason where it has none of its own. */
  giveUp(mailing: number, reason: string, now: Instant): Promise<void>;
};
