import { statSync } from "node:fs";
import { walPathOf } from "#storage/sqlite/engine/writes/wal-flush.ts";
import type { SqliteDatabase } from "./open.ts";
import { present } from "#core/present.ts";
import type { DatabaseFigures } from "#core/database-figures.ts";
import { queueFigures } from "./queue-figures.ts";

/** What a monitor needs to know about the database. It costs some look-ups for each mailing in progress. */
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
    const { oldestDueAt, ...messages } = await queue(now);
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

/**
 * Due starts and steps of LIVE automations, with two look-ups per automation; and triggers that wait for
 * their starts.
 */
const DUE_AUTOMATION = `SELECT min(at) AS at FROM (
  SELECT (SELECT min(next_try_at) FROM automation_starts WHERE automation = a.seq AND next_try_at <= $now) AS at
  FROM automations a WHERE a.status = 'LIVE'
  UNION ALL
  SELECT (SELECT min(next_run_at) FROM enrollments WHERE automation = a.seq AND status = 'ACTIVE' AND next_run_at <= $now)
  FROM automations a WHERE a.status = 'LIVE'
  UNION ALL
  SELECT (SELECT created_at FROM automation_triggers WHERE seq > 0 ORDER BY seq LIMIT 1))`;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
