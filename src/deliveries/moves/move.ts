/**
 * The moves of the ledger (`deliveries/ledger.ts` has its states and arrows): which transition a row takes, and
 * what is written with it. A store loads the row, asks these rules, and carries the moves out in one transaction.
 */
import type { Instant } from "#core/time/clock.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";
import type { DeliveryState, Progress, SkipReason } from "#deliveries/ledger.ts";

/** What every rule needs to know of a row: its state, and the phase of its mailing. */
export type MovingRow = { readonly state: DeliveryState; readonly phase: Progress["phase"] };

/** One transition of a row, from the state it has. What is missing stays as it is in the row, but `reason` and `detail`. */
export type Move = {
  readonly to: DeliveryState;
  /** Why, as the API tells it. */
  readonly reason?: string | null;
  /** Of a message that could not be made: why, in words. */
  readonly detail?: string | null;
  readonly countsAsAttempt: boolean;
  /** Of a deferred row: when it is owed again. */
  readonly nextAttemptAt?: Instant | null;
  readonly reply?: SmtpReply | null;
};

/** The message is not sent. */
export const skip = (reason: SkipReason): Move => ({ to: "skipped", reason, countsAsAttempt: false });
