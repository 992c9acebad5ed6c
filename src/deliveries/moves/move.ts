/**
 * The moves of the ledger (`deliveries/ledger.ts` has its states and arrows): which transition a row takes, and
 * what is written with it. A store loads the row, asks these rules, and carries the moves out in one transaction.
 */
import type { Instant } from "#core/time/clock.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";
import type { DeliveryState, Progress, SkipReason } from "#deliveries/ledger.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";

/** What every rule needs to know about a row: its state, and the phase of its mailing. */
export type MovingRow = { readonly state: DeliveryState; readonly phase: Progress["phase"] };

/** One transition of a row. Missing members keep their value in the row, except `reason` and `detail`. */
export type Move = {
  readonly to: DeliveryState;
  /** Why, as the API shows it. */
  readonly reason?: string | null;
  /** Why the message could not be composed, in words. */
  readonly detail?: string | null;
  readonly countsAsAttempt: boolean;
  /** For a deferred row: when it is due again. */
  readonly nextAttemptAt?: Instant | null;
  readonly reply?: SmtpReply | null;
};

/** The message is not sent. */
export const skip = (reason: SkipReason): Move => ({ to: "skipped", reason, countsAsAttempt: false });

/**
 * What becomes of a row that is owed again although its mailing was stopped. Null: the mailing was not. A request is
 * stopped when it is given up. Its caller may have been told so and may have sent it again, so the message has failed.
 */
export function moveOfStopped(
  { phase, kind }: Pick<MovingRow, "phase"> & { readonly kind: MailKind },
  reason: string | null = null,
): Move | null {
  if (phase !== "stopped") return null;
  if (kind !== "transactional") return skip("STOPPED");
  return { to: "failed", reason: reason ?? "RELAY_UNAVAILABLE", countsAsAttempt: false };
}
