import type { Database } from "bun:sqlite";
import { RETRY_AHEAD_MAX_MS } from "#deliveries/sender/backoff.ts";

/** `automation IN` makes SQLite use the index by automation and time. */
const OF_SOME = "automation IN (SELECT seq FROM automations)";

/**
 * Call it on an open transaction when a server starts. Retries of automations that are further in the future than
 * any pause were written while the clock was wrong, so they are made due now. Waits that the author of a flow chose
 * stay. Such retries of mail and schedules are found in the search for due ones.
 */
export function drawInRetries(sqlite: Database, now: number): void {
  const far = now + RETRY_AHEAD_MAX_MS;
  sqlite
    .query<null, [number, number]>(
      `UPDATE enrollments SET next_run_at = ? WHERE ${OF_SOME} AND status = 'ACTIVE' AND next_run_at > ? AND attempts > 0`,
    )
    .run(now, far);
  sqlite
    .query<null, [number, number]>(
      `UPDATE automation_starts SET next_try_at = ? WHERE ${OF_SOME} AND next_try_at > ?`,
    )
    .run(now, far);
}
