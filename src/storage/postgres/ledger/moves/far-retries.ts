import type { Instant } from "#core/time/clock.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { PAUSE_MAX_MS } from "#webhooks/calls/retry.ts";

const DRAW_IN = [
  "UPDATE enrollments SET next_run_at = $1 WHERE status = 'ACTIVE' AND next_run_at > $2 AND NOT waiting",
  "UPDATE automation_starts SET next_try_at = $1 WHERE next_try_at > $2",
];

/**
 * Makes steps and triggers of automations due that were put off while the clock was wrong: those further in the future
 * than the longest pause, which is a webhook step's. Waits that the author of a flow chose stay.
 */
export async function drawInRetries(tx: Session, now: Instant): Promise<void> {
  for (const statement of DRAW_IN) await tx.run(statement, [now, now + PAUSE_MAX_MS]);
}
