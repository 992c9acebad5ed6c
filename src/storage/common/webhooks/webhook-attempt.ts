/** What an attempt changes in a webhook's delivery. */
import { attemptsKept, type Attempt } from "#webhooks/delivery.ts";
import { WELL, type Health } from "#webhooks/calls/health.ts";
import type { MadeAttempt, OutboxStore } from "#webhooks/store.ts";
import type { Verdict } from "#webhooks/calls/verdict.ts";
import type { WebhookRow } from "./webhook-rows.ts";

/** One step of `OutboxStore.settle`. */
export type Settling = { readonly made: MadeAttempt; readonly judge: Parameters<OutboxStore["settle"]>[1] };

/** A delivery before the attempt; `attempts` is JSON. */
export type TriedRow = {
  readonly tries: number;
  readonly firstTriedAt: number | null;
  readonly nextAttemptAt: number | null;
  readonly attempts: string;
};

/** The endpoint before the attempt. */
export type HealthRow = Health & Pick<WebhookRow, "state">;

export type Settled = {
  readonly verdict: Verdict;
  /** The delivery's attempts with this one, as JSON. */
  readonly attempts: string;
  /** Whether the endpoint's health must be written: most deliveries succeed at endpoints that were well. */
  readonly savesHealth: boolean;
  /** What `settle` answers. */
  readonly health: Health | null;
};

export function settled({ made, judge }: Settling, row: TriedRow, endpoint: HealthRow): Settled {
  const { state, failures, failingSince, resumeAt } = endpoint;
  const { attempt, askedPauseMs, jitter } = made;
  const { tries, firstTriedAt, nextAttemptAt: dueAt } = row;
  const { status, at: begunAt, durationMs } = attempt;
  const now = begunAt + durationMs;
  const health = { failures, failingSince, resumeAt };
  const verdict = judge({ status, askedPauseMs, tries, firstTriedAt, dueAt, health, begunAt, now, jitter });
  const attempts = attemptsKept([...(JSON.parse(row.attempts) as Attempt[]), attempt]);
  return {
    verdict,
    attempts: JSON.stringify(attempts),
    savesHealth: verdict.health !== WELL || failures > 0 || resumeAt > 0,
    health: state === "ENABLED" && verdict.disabledReason === null ? verdict.health : null,
  };
}
