import { statSync } from "node:fs";
import type { Database } from "bun:sqlite";
import { walPathOf } from "#storage/sqlite/engine/writes/wal-flush.ts";
import type { SqliteDatabase } from "./open.ts";
import { present } from "#core/present.ts";
import type { DatabaseFigures } from "#storage/common/engine/database-figures.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";

/**
 * What a monitor needs to know about the database. It costs one look-up per mailing in progress, and reads each
 * deferred message that is not due yet.
 */
export function databaseFigures({ sqlite }: SqliteDatabase): (now: number) => Promise<DatabaseFigures> {
  const queue = queueFigures(sqlite);
  const dueCampaign = sqlite.query<{ at: number | null }, [number]>(
    `SELECT min(next_try_at) AS at FROM campaigns
     WHERE status = 'SCHEDULED' AND mailing IS NULL AND held = 0 AND paused IS NULL AND next_try_at <= ?`,
  );
  const dueAutomation = sqlite.query<{ at: number | null }, { now: number }>(DUE_AUTOMATION);
  const path = sqlite.filename;
  const walPath = walPathOf(path);
  return async (now) => {
    const { oldestDueAt, ...messages } = queue(now);
    return {
      queue: messages,
      oldestDueAt: {
        messages: oldestDueAt,
        campaigns: present(dueCampaign.get(now), "time of the next campaign").at,
        automations: present(dueAutomation.get({ now }), "time of the next automation").at,
      },
      // Sizes come from the directory: opening the file in another way would drop SQLite's locks.
      databaseBytes: sizeOf(path),
      walBytes: sizeOf(walPath),
      nodes: null,
    };
  };
}

/** Due starts and steps of LIVE automations; two look-ups per automation. */
const DUE_AUTOMATION = `SELECT min(at) AS at FROM (
  SELECT (SELECT min(next_try_at) FROM automation_starts WHERE automation = a.seq AND next_try_at <= $now) AS at
  FROM automations a WHERE a.status = 'LIVE'
  UNION ALL
  SELECT (SELECT min(next_run_at) FROM enrollments WHERE automation = a.seq AND status = 'ACTIVE' AND next_run_at <= $now)
  FROM automations a WHERE a.status = 'LIVE')`;

type UnderWay = Row<typeof mailings, "seq" | "held" | "queued"> & { since: number };

function queueFigures(sqlite: Database) {
  const underWay = sqlite.query<UnderWay, []>(
    `SELECT seq, held, queued, coalesce(started_at, created_at) AS since FROM mailings
     WHERE phase = 'sending' AND queued > 0`,
  );
  const later = sqlite.query<{ n: number }, [number, number]>(
    `SELECT count(*) AS n FROM deliveries
     WHERE mailing = ? AND state = 'queued' AND next_attempt_at IS NOT NULL AND next_attempt_at > ?`,
  );
  const firstAttempt = sqlite.query<Row<typeof deliveries, "seq">, [number]>(
    "SELECT seq FROM deliveries WHERE mailing = ? AND state = 'queued' AND next_attempt_at IS NULL LIMIT 1",
  );
  const firstRetry = sqlite.query<{ at: number | null }, [number, number]>(
    `SELECT min(next_attempt_at) AS at FROM deliveries
     WHERE mailing = ? AND state = 'queued' AND next_attempt_at IS NOT NULL AND next_attempt_at <= ?`,
  );
  return (now: number) => {
    const figures = { ready: 0, deferred: 0, held: 0 };
    const dueAt: number[] = [];
    for (const mailing of underWay.all()) {
      if (mailing.held !== 0) {
        figures.held += mailing.queued;
        continue;
      }
      const deferred = present(later.get(mailing.seq, now), "count of messages to retry").n;
      figures.deferred += deferred;
      figures.ready += mailing.queued - deferred;
      if (mailing.queued === deferred) continue;
      const retryAt = present(firstRetry.get(mailing.seq, now), "time of the next retry").at;
      if (retryAt !== null) dueAt.push(retryAt);
      if (firstAttempt.get(mailing.seq)) dueAt.push(mailing.since);
    }
    return { ...figures, oldestDueAt: dueAt.length === 0 ? null : Math.min(...dueAt) };
  };
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
