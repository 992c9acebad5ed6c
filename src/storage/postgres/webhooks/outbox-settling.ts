import { isOfOne, StorageError } from "#core/errors/storage-error.ts";
import {
  settled,
  type HealthRow,
  type Settled,
  type Settling,
  type TriedRow,
} from "#storage/common/webhooks/webhook-attempt.ts";
import { WAIT_SHORTLY } from "#storage/postgres/engine/server-checks.ts";
import { gatheredRounds } from "#storage/postgres/engine/gathered-rounds.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Health } from "#webhooks/calls/health.ts";
import type { OutboxStore } from "#webhooks/store.ts";

// In the order of their numbers, so that there are no deadlocks.
const HOLD_ENDPOINTS = `SELECT seq, failures, failing_since, resume_at, state FROM webhooks
  WHERE seq = ANY($1::int8[]) ORDER BY seq FOR NO KEY UPDATE`;
const HOLD_DELIVERIES = `SELECT seq, tries, first_tried_at, next_attempt_at, attempts FROM webhook_deliveries
  WHERE seq = ANY($1::int8[]) ORDER BY seq FOR NO KEY UPDATE`;
const SAVE = `UPDATE webhook_deliveries SET state = $2, next_attempt_at = $3, tries = tries + 1,
  first_tried_at = $4, attempts = $5 WHERE seq = $1`;
const SAVE_HEALTH = "UPDATE webhooks SET failures = $2, failing_since = $3, resume_at = $4 WHERE seq = $1";
const DISABLE =
  "UPDATE webhooks SET state = 'DISABLED', disabled_reason = $2 WHERE seq = $1 AND state = 'ENABLED'";

/** Writes attempts; those that end together share a transaction. */
export function settling({ write }: PostgresDatabase): OutboxStore["settle"] {
  const settle = gatheredRounds(
    (all: readonly Settling[]) =>
      write(async (tx) => {
        await tx.run(WAIT_SHORTLY);
        return await settleAll(tx, all);
      }),
    (error) => error instanceof StorageError && !isOfOne(error),
  );
  return (made, judge) => settle({ made, judge });
}

type Numbered<T> = T & { readonly seq: number };

async function settleAll(tx: Session, all: readonly Settling[]): Promise<(Health | null)[]> {
  const endpoints = bySeq(
    await tx.rows<Numbered<HealthRow>>(HOLD_ENDPOINTS, [all.map(({ made }) => made.endpoint)]),
  );
  const deliveries = bySeq(
    await tx.rows<Numbered<TriedRow>>(HOLD_DELIVERIES, [all.map(({ made }) => made.delivery)]),
  );
  const answers: (Health | null)[] = [];
  for (const one of all) {
    const { endpoint, delivery } = one.made;
    const [endpointRow, row] = [endpoints.get(endpoint), deliveries.get(delivery)];
    if (endpointRow === undefined || row === undefined) {
      answers.push(null);
      continue;
    }
    const after = settled(one, row, endpointRow);
    await save(tx, one, after);
    answers.push(after.health);
    // The next attempt of the same round sees what this one changed.
    const { health, disabledReason, firstTriedAt, nextAttemptAt } = after.verdict;
    const state = disabledReason !== null && endpointRow.state === "ENABLED" ? "DISABLED" : endpointRow.state;
    endpoints.set(endpoint, { ...endpointRow, ...health, state });
    const tries = row.tries + 1;
    deliveries.set(delivery, { ...row, tries, firstTriedAt, nextAttemptAt, attempts: after.attempts });
  }
  return answers;
}

/** Sent together, in one round trip. */
async function save(
  tx: Session,
  { made: { delivery, endpoint } }: Settling,
  { verdict, attempts, savesHealth }: Settled,
): Promise<void> {
  const { state, nextAttemptAt, firstTriedAt, health, disabledReason } = verdict;
  await Promise.all([
    tx.run(SAVE, [delivery, state, nextAttemptAt, firstTriedAt, attempts]),
    savesHealth
      ? tx.run(SAVE_HEALTH, [endpoint, health.failures, health.failingSince, health.resumeAt])
      : undefined,
    disabledReason === null ? undefined : tx.run(DISABLE, [endpoint, disabledReason]),
  ]);
}

const bySeq = <T extends { readonly seq: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.seq, row]));
