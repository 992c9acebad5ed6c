import type { Database } from "bun:sqlite";
import type { RunStore, Slice } from "#automations/run/store.ts";
import { FORGOTTEN_AT_ONCE, STARTS_A_LOOK } from "#storage/common/automations/start-limits.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { automationListeners, automationTriggers } from "#storage/sqlite/schema/schema.ts";

type TriggerRow = Row<
  typeof automationTriggers,
  "seq" | "workspace" | "contact" | "kind" | "detail" | "event" | "depth" | "createdAt" | "through"
>;
type ListenerRow = Row<typeof automationListeners, "automation">;

/** Those who waited for a trigger when it came: they do now, or did then and have changed since. */
const LISTENED = `SELECT automation FROM automation_listeners
    WHERE workspace = $workspace AND kind = $kind AND detail = $detail AND automation > $through AND since < $seq
  UNION ALL SELECT automation FROM automation_past_listeners
    WHERE workspace = $workspace AND kind = $kind AND detail = $detail AND automation > $through AND since < $seq AND until >= $seq
  ORDER BY automation LIMIT $limit`;

type Listened = Pick<TriggerRow, "workspace" | "kind" | "detail" | "through" | "seq"> & {
  readonly limit: number;
};

/**
 * Makes starts of triggers that wait (start-writes.ts): the oldest of a workspace first, workspaces in turn.
 * Each call is one short transaction, which also says how far it came. So nobody gets a second start, or
 * none, if the process ends between two of them.
 */
export function spreadTriggers({ sqlite, writes }: SqliteDatabase): RunStore["spread"] {
  const workspaceAfter = sqlite.query<Pick<TriggerRow, "workspace">, [number]>(
    "SELECT workspace FROM automation_triggers WHERE workspace > ? ORDER BY workspace LIMIT 1",
  );
  const oldest = sqlite.query<TriggerRow, [number]>(
    `SELECT seq, workspace, contact, kind, detail, event, depth, created_at AS createdAt, through
     FROM automation_triggers WHERE workspace = ? ORDER BY seq LIMIT 1`,
  );
  const spread = spreading(sqlite);
  const forget = forgetting(sqlite);
  /** The workspace that had its turn. */
  let served = 0;

  const piece = (slice: Slice): number => {
    const isOver = slice.begin();
    const next = workspaceAfter.get(served) ?? workspaceAfter.get(0);
    if (next === null) return forget.now();
    served = next.workspace;
    let done = 0;
    do {
      const trigger = oldest.get(served);
      if (trigger === null) break;
      done += spread(trigger, Math.min(STARTS_A_LOOK, slice.rowsMax - done), slice.now);
    } while (done < slice.rowsMax && !isOver());
    return done + forget.now();
  };

  return async (slice) =>
    workspaceAfter.get(0) === null && !forget.some() ? 0 : await writes.write(() => piece(slice));
}

/** Makes at most so many starts of a trigger; the last ones take it along. Returns how many rows it wrote. */
function spreading(sqlite: Database): (trigger: TriggerRow, limit: number, now: number) => number {
  const listened = sqlite.query<ListenerRow, Listened>(LISTENED);
  // Not due later than now: the clock may have been set back since.
  const add = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at)
     SELECT a.value, ?2, ?3, ?4, ?5, ?6, ?7, min(?7, ?8) FROM json_each(?1) AS a ORDER BY a.key`,
  );
  const came = sqlite.query<null, [number, number]>(
    "UPDATE automation_triggers SET through = ? WHERE seq = ?",
  );
  const remove = sqlite.query<null, [number]>("DELETE FROM automation_triggers WHERE seq = ?");

  return ({ contact, event, depth, createdAt, ...trigger }, limit, now) => {
    const { workspace, kind, detail, through, seq } = trigger;
    const automations = listened
      .all({ workspace, kind, detail, through, seq, limit })
      .map(({ automation }) => automation);
    const last = automations.at(-1);
    if (last !== undefined)
      add.run(JSON.stringify(automations), contact, kind, detail, event, depth, createdAt, now);
    if (last === undefined || automations.length < limit) remove.run(seq);
    else came.run(last, seq);
    return automations.length + 1;
  };
}

/** Removes some past listeners that no trigger needs any more. */
function forgetting(sqlite: Database) {
  const someKept = sqlite.query<object, []>(
    "SELECT 1 FROM automation_past_listeners WHERE until > 0 LIMIT 1",
  );
  const forget = sqlite.query<null, []>(
    `DELETE FROM automation_past_listeners WHERE seq IN (SELECT seq FROM automation_past_listeners
       WHERE until < coalesce((SELECT min(seq) FROM automation_triggers), 9e18) LIMIT ${FORGOTTEN_AT_ONCE})`,
  );
  const some = (): boolean => someKept.get() !== null;
  return { some, now: (): number => (some() ? forget.run().changes : 0) };
}
