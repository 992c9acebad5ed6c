import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import { settled, type Settling } from "#storage/common/webhooks/webhook-attempt.ts";
import { oldBeforeSql } from "#storage/common/engine/made-ahead.ts";
import { aheadWhenOld, DELIVERIES_MADE } from "#storage/common/webhooks/deliveries-ahead.ts";
import { dueDelivery, endpointOf } from "#storage/common/webhooks/webhook-rows.ts";
import { gatheredSteps } from "#storage/sqlite/engine/writes/gathered-steps.ts";
import { onNewer } from "#storage/sqlite/engine/on-newer.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { webhookDeliveries, webhooks, workspaces } from "#storage/sqlite/schema/schema.ts";
import { givenUpAheadSince, type Health } from "#webhooks/calls/health.ts";
import { PAUSE_MAX_MS } from "#webhooks/calls/retry.ts";
import type { OutboxStore } from "#webhooks/store.ts";
import { GIVEN_UP_REASON, type Verdict } from "#webhooks/calls/verdict.ts";

type EndpointRow = Row<
  typeof webhooks,
  "url" | "secret" | "oldSecret" | "oldSecretUntil" | "failures" | "failingSince" | "resumeAt"
> & {
  number: Value<typeof webhooks, "seq">;
  workspaceId: Value<typeof workspaces, "id">;
  dueAt: NonNullable<Value<typeof webhookDeliveries, "nextAttemptAt">>;
};
type DueRow = Row<typeof webhookDeliveries, "seq" | "nonce" | "type" | "data" | "createdAt">;
type TriedRow = Row<typeof webhookDeliveries, "tries" | "firstTriedAt" | "nextAttemptAt" | "attempts">;
type HealthRow = Row<typeof webhooks, "failures" | "failingSince" | "resumeAt" | "state">;

/** The first message in an endpoint's queue. */
const HEAD = `(SELECT next_attempt_at FROM webhook_deliveries WHERE webhook = w.seq AND next_attempt_at IS NOT NULL
  ORDER BY next_attempt_at LIMIT 1)`;

export function outboxStore(database: SqliteDatabase): OutboxStore {
  const { sqlite } = database;
  const endpoints = sqlite.query<EndpointRow, { now: number }>(
    `SELECT * FROM (
       SELECT w.seq AS number, ws.id AS workspaceId, w.url, w.secret, w.old_secret AS oldSecret,
         w.old_secret_until AS oldSecretUntil, w.failures, w.failing_since AS failingSince, w.resume_at AS resumeAt,
         ${HEAD} AS dueAt
       FROM webhooks AS w CROSS JOIN workspaces AS ws ON ws.seq = w.workspace
       WHERE w.state = 'ENABLED' AND w.resume_at <= $now)
     WHERE dueAt <= $now`,
  );
  const due = sqlite.query<DueRow, [number, number, number]>(
    `SELECT seq, nonce, type, data, created_at AS createdAt FROM webhook_deliveries
     WHERE webhook = ? AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?`,
  );

  return {
    onOwed: owing(database),
    clear: clearing(database),
    drawIn: drawingIn(database),
    settle: settling(database),

    dueEndpoints: async (now) => endpoints.all({ now }).map((row) => endpointOf(row, now)),

    due: async (endpoint, now, limit, except) =>
      due
        .all(endpoint, now, limit + except.size)
        .filter(({ seq }) => !except.has(seq))
        .slice(0, limit)
        .map(dueDelivery),
  };
}

function owing({ sqlite, writes }: SqliteDatabase): OutboxStore["onOwed"] {
  const newestRow = sqlite.query<{ seq: number | null }, []>(
    "SELECT max(seq) AS seq FROM webhook_deliveries",
  );
  const newest = (): number => present(newestRow.get(), "newest delivery").seq ?? 0;
  return (listener) => onNewer(writes, newest, listener);
}

function settling({ sqlite, writes }: SqliteDatabase): OutboxStore["settle"] {
  const tried = sqlite.query<TriedRow, [number]>(
    `SELECT tries, first_tried_at AS firstTriedAt, next_attempt_at AS nextAttemptAt, attempts
     FROM webhook_deliveries WHERE seq = ?`,
  );
  const healthOf = sqlite.query<HealthRow, [number]>(
    "SELECT failures, failing_since AS failingSince, resume_at AS resumeAt, state FROM webhooks WHERE seq = ?",
  );
  const save = sqlite.query<null, (string | number | null)[]>(
    `UPDATE webhook_deliveries SET state = ?2, next_attempt_at = ?3, tries = tries + 1,
       first_tried_at = ?4, attempts = ?5 WHERE seq = ?1`,
  );
  const saveHealth = healthWrites(sqlite);

  const settle = (one: Settling): Health | null => {
    const { made } = one;
    const endpoint = healthOf.get(made.endpoint);
    const row = tried.get(made.delivery);
    if (endpoint === null || row === null) return null;
    const { verdict, attempts, savesHealth, health } = settled(one, row, endpoint);
    const { state, nextAttemptAt, firstTriedAt } = verdict;
    save.run(made.delivery, state, nextAttemptAt, firstTriedAt, attempts);
    saveHealth(made.endpoint, verdict, savesHealth);
    return health;
  };
  const steps = gatheredSteps(writes, (all: readonly Settling[]) => all.map(settle));

  return (made, judge) => steps.soon({ made, judge });
}

function healthWrites(sqlite: Database) {
  const save = sqlite.query<null, (number | null)[]>(
    "UPDATE webhooks SET failures = ?2, failing_since = ?3, resume_at = ?4 WHERE seq = ?1",
  );
  const disable = sqlite.query<null, [number, string]>(
    "UPDATE webhooks SET state = 'DISABLED', disabled_reason = ?2 WHERE seq = ?1 AND state = 'ENABLED'",
  );
  return (endpoint: number, { health, disabledReason }: Verdict, savesHealth: boolean): void => {
    if (savesHealth) save.run(endpoint, health.failures, health.failingSince, health.resumeAt);
    if (disabledReason !== null) disable.run(endpoint, disabledReason);
  };
}

/** `webhook IN` makes SQLite use the index by webhook and time. */
const PUT_OFF = `SELECT seq FROM webhook_deliveries
  WHERE webhook IN (SELECT seq FROM webhooks) AND next_attempt_at > $far LIMIT $rows`;
const DRAWN_IN_AT_ONCE = 250;
const GIVEN_UP_AHEAD = "state = 'DISABLED' AND disabled_reason = ?1 AND failing_since > ?2";

/** Enables the webhooks that only a clock that was ahead gave up. What it gave up of theirs is owed again. */
function enablingAgain({ sqlite, writes }: Pick<SqliteDatabase, "sqlite" | "writes">) {
  const givenUp = sqlite.query<Row<typeof webhooks, "seq">, [string, number]>(
    `SELECT seq FROM webhooks WHERE ${GIVEN_UP_AHEAD} LIMIT 1`,
  );
  const owe = sqlite.query<null, [string, number, number]>(
    `UPDATE webhook_deliveries SET state = 'PENDING', next_attempt_at = ?3, first_tried_at = min(first_tried_at, ?3)
     WHERE webhook IN (SELECT seq FROM webhooks WHERE ${GIVEN_UP_AHEAD}) AND state = 'FAILED'
       AND first_tried_at > ?2`,
  );
  const enable = sqlite.query<null, [string, number]>(
    `UPDATE webhooks SET state = 'ENABLED', disabled_reason = NULL, resume_at = 0 WHERE ${GIVEN_UP_AHEAD}`,
  );

  return async (now: number): Promise<void> => {
    const ahead = [GIVEN_UP_REASON, givenUpAheadSince(now)] as const;
    if (givenUp.get(...ahead) === null) return;
    await writes.write(() => {
      owe.run(...ahead, now);
      enable.run(...ahead);
    });
  };
}

function drawingIn({ sqlite, writes }: SqliteDatabase): OutboxStore["drawIn"] {
  type Times = { now: number; far: number };
  const enableAgain = enablingAgain({ sqlite, writes });
  const resting = sqlite.query<Row<typeof webhooks, "seq">, { far: number }>(
    "SELECT seq FROM webhooks WHERE resume_at > $far OR failing_since > $far LIMIT 1",
  );
  const resume = sqlite.query<null, Times>(
    `UPDATE webhooks SET resume_at = iif(resume_at > $far, 0, resume_at), failing_since = min(failing_since, $now)
     WHERE resume_at > $far OR failing_since > $far`,
  );
  const putOff = sqlite.query<Row<typeof webhookDeliveries, "seq">, { far: number; rows: number }>(PUT_OFF);
  const draw = sqlite.query<null, Times & { rows: number }>(
    `UPDATE webhook_deliveries SET next_attempt_at = $now, first_tried_at = min(first_tried_at, $now)
     WHERE seq IN (${PUT_OFF})`,
  );

  return async (now) => {
    const times = { now, far: now + PAUSE_MAX_MS };
    const { far } = times;
    await enableAgain(now);
    if (resting.get({ far }) !== null) await writes.write(() => void resume.run(times));
    while (putOff.get({ far, rows: 1 }) !== null)
      await writes.write(() => void draw.run({ ...times, rows: DRAWN_IN_AT_ONCE }));
  };
}

type Which = [before: number, rowsMax: number, ahead: number];

function clearing({ sqlite, writes }: SqliteDatabase): OutboxStore["clear"] {
  // The oldest rows are first, whatever their times say.
  const which = `SELECT seq FROM (
      SELECT seq, created_at, webhook, next_attempt_at FROM webhook_deliveries AS oldest ORDER BY seq LIMIT ?2) AS page
    WHERE (created_at < ?1 OR seq < (${oldBeforeSql(DELIVERIES_MADE, "?1", "?3")})) AND NOT (next_attempt_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM webhooks WHERE seq = page.webhook AND state = 'ENABLED'))`;
  const old = sqlite.query<Row<typeof webhookDeliveries, "seq">, Which>(`${which} LIMIT 1`);
  const removeOld = sqlite.query<null, Which>(`DELETE FROM webhook_deliveries WHERE seq IN (${which})`);
  const deleted = sqlite.query<Row<typeof webhooks, "seq">, []>(
    "SELECT seq FROM webhooks WHERE state = 'DELETED' ORDER BY seq LIMIT 1",
  );
  const removeSome = sqlite.query<null, [number, number]>(
    "DELETE FROM webhook_deliveries WHERE seq IN (SELECT seq FROM webhook_deliveries WHERE webhook = ? LIMIT ?)",
  );
  const forget = sqlite.query<null, [number]>("DELETE FROM webhook_counts WHERE webhook = ?");
  const remove = sqlite.query<null, [number]>("DELETE FROM webhooks WHERE seq = ?");

  return async (before, rowsMax) => {
    const oldest: Which = [before, rowsMax, aheadWhenOld(before)];
    if (old.get(...oldest) === null && deleted.get() === null) return false;
    return writes.write(() => {
      if (removeOld.run(...oldest).changes > 0) return true;
      const row = deleted.get();
      if (row === null) return false;
      if (removeSome.run(row.seq, rowsMax).changes > 0) return true;
      forget.run(row.seq);
      remove.run(row.seq);
      return true;
    });
  };
}
