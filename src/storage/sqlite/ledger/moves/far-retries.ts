import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import type { Instant } from "#core/time/clock.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { PAUSE_MAX_MS } from "#webhooks/calls/retry.ts";

/**
 * Makes steps and triggers of automations due that were put off while the clock was wrong: those further in the future
 * than the longest pause, which is a webhook step's. Waits that the author of a flow chose stay.
 * The search for due mail and schedules finds such ones by itself.
 */
const STEPS = "UPDATE enrollments SET next_run_at = $now";
const FAR_STEP = "status = 'ACTIVE' AND next_run_at > $far AND waiting = 0";
const TRIGGERS = "UPDATE automation_starts SET next_try_at = $now";
const FAR_TRIGGER = "next_try_at > $far";

/** `automation IN` makes SQLite use the index by automation and time. */
const OF_SOME = "automation IN (SELECT seq FROM automations)";
const IN_SLICE = "seq > $after AND seq <= $last";
const SLICE_ROWS = 2_000;

type Times = { readonly now: Instant; readonly far: Instant };
type Slice = Times & { readonly after: number; readonly last: number };

const timesAt = (now: Instant): Times => ({ now, far: now + PAUSE_MAX_MS });

/** Call it on an open transaction when a server starts. */
export function drawInRetries(sqlite: Database, now: Instant): void {
  const all = (update: string, far: string) =>
    sqlite.query<null, Times>(`${update} WHERE ${OF_SOME} AND ${far}`).run(timesAt(now));
  all(STEPS, FAR_STEP);
  all(TRIGGERS, FAR_TRIGGER);
}

/** While a server runs: in slices, because there may be millions, and everybody else waits for a write. */
export function drawInSlices({ sqlite, writes }: SqliteDatabase): (now: Instant) => Promise<void> {
  const slicesOf = (table: string, update: string, far: string) => {
    const newest = sqlite.query<{ seq: number | null }, []>(`SELECT max(seq) AS seq FROM ${table}`);
    const some = sqlite.query<null, Slice>(`${update} WHERE ${IN_SLICE} AND ${far}`);
    return async (times: Times): Promise<void> => {
      const end = present(newest.get(), "newest row").seq ?? 0;
      for (let after = 0; after < end; after += SLICE_ROWS)
        await writes.write(() => void some.run({ ...times, after, last: after + SLICE_ROWS }));
    };
  };
  const steps = slicesOf("enrollments", STEPS, FAR_STEP);
  const triggers = slicesOf("automation_starts", TRIGGERS, FAR_TRIGGER);
  return async (now) => {
    await steps(timesAt(now));
    await triggers(timesAt(now));
  };
}
