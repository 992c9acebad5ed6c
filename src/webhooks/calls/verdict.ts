import type { Instant } from "#core/time/clock.ts";
import type { DeliveryState } from "#webhooks/delivery.ts";
import { afterFailure, isGivenUp, WELL, type Health } from "./health.ts";
import { judgeStatus, retryAt, triedSince } from "./retry.ts";

/** What is known after an attempt. */
export type AttemptInput = {
  /** The answer's status; null if no answer came. */
  readonly status: number | null;
  readonly askedPauseMs: number;
  /** Earlier attempts of this delivery, since it was first owed or replayed. */
  readonly tries: number;
  readonly firstTriedAt: Instant | null;
  /** When this attempt was due; null: it is owed no more. */
  readonly dueAt: Instant | null;
  /** The endpoint's health before the attempt. */
  readonly health: Health;
  /** When the attempt began, and when it ended. */
  readonly begunAt: Instant;
  readonly now: Instant;
  /** A fraction from 0 to 1 that spreads pauses. */
  readonly jitter: number;
};

/** The new state of the delivery, and of its endpoint. */
export type Verdict = {
  readonly state: DeliveryState;
  readonly nextAttemptAt: Instant | null;
  /** Since when it counts as tried. */
  readonly firstTriedAt: Instant;
  readonly health: Health;
  /** Not null: the endpoint is disabled, for this reason. */
  readonly disabledReason: string | null;
};

/** Why an endpoint that was given up is disabled. */
export const GIVEN_UP_REASON = "Nothing could be delivered for three days.";

/** Judges an attempt by docs/contract.md "Webhooks". */
export function judgeAttempt(input: AttemptInput): Verdict {
  const { status, tries, health, begunAt, now, jitter, askedPauseMs } = input;
  const firstTriedAt = triedSince(input);
  const judged = status === null ? "retry" : judgeStatus(status);
  if (judged === "delivered")
    return { state: "DELIVERED", nextAttemptAt: null, firstTriedAt, health: WELL, disabledReason: null };
  const failed = afterFailure(health, { begunAt, now, jitter, askedPauseMs });
  const ended = { state: "FAILED", nextAttemptAt: null, firstTriedAt, health: failed } as const;
  if (judged === "gone") return { ...ended, disabledReason: "It answered 410 Gone." };
  const nextAttemptAt = retryAt({
    attempts: tries + 1,
    firstAttemptAt: firstTriedAt,
    now,
    jitter,
    askedPauseMs,
  });
  const disabledReason = isGivenUp(failed, now) ? GIVEN_UP_REASON : null;
  if (nextAttemptAt === null) return { ...ended, disabledReason };
  return { ...ended, state: "PENDING", nextAttemptAt, disabledReason };
}
