import type { RunStore, Slice } from "#automations/run/store.ts";
import { FORGOTTEN_AT_ONCE, STARTS_AT_ONCE } from "#storage/common/automations/start-limits.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { automationTriggers } from "#storage/postgres/schema/schema.ts";

type TriggerRow = Row<
  typeof automationTriggers,
  "seq" | "workspace" | "contact" | "kind" | "detail" | "through"
>;

const SOME =
  "SELECT EXISTS (SELECT FROM automation_triggers) OR EXISTS (SELECT FROM automation_past_listeners) AS any";
/** One node at a time, so that the starts of a contact come in the order of the triggers. */
const ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('triggers of automations', 0))";
const WORKSPACE_AFTER =
  "SELECT workspace FROM automation_triggers WHERE workspace > $1 ORDER BY workspace LIMIT 1";
// The contacts are locked before their triggers are written, as by those who delete them. Deleting somebody
// may take minutes, so whoever is locked is skipped with all of their triggers.
const OLDEST = `SELECT t.seq, t.workspace, t.contact, t.kind, t.detail, t.through FROM automation_triggers AS t
  JOIN contacts AS c ON c.seq = t.contact WHERE t.workspace = $1 ORDER BY t.seq LIMIT 1 FOR KEY SHARE OF c SKIP LOCKED`;
/** Those who waited for the trigger when it came: they do now, or did then and have changed since. */
const LISTENED = `SELECT automation FROM automation_listeners
    WHERE workspace = $1 AND kind = $2 AND detail = $3 AND automation > $4 AND since < $5
  UNION ALL SELECT automation FROM automation_past_listeners
    WHERE workspace = $1 AND kind = $2 AND detail = $3 AND automation > $4 AND since < $5 AND until >= $5
  ORDER BY automation LIMIT $6`;
// Not due later than now: the clock may have been set back since.
const ADD = `INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at)
  SELECT a.automation, t.contact, t.kind, t.detail, t.event, t.depth, t.created_at, least(t.created_at, $3::int8)
  FROM automation_triggers AS t CROSS JOIN unnest($2::int8[]) WITH ORDINALITY AS a (automation, n)
  WHERE t.seq = $1 ORDER BY a.n`;
const CAME = "UPDATE automation_triggers SET through = $2 WHERE seq = $1";
const REMOVE = "DELETE FROM automation_triggers WHERE seq = $1";
const FORGET = `DELETE FROM automation_past_listeners WHERE seq = ANY(ARRAY(SELECT seq FROM automation_past_listeners
  WHERE until < coalesce((SELECT min(seq) FROM automation_triggers), 9223372036854775807) LIMIT ${FORGOTTEN_AT_ONCE}))`;

/**
 * Makes starts of triggers that wait (start-writes.ts): the oldest of a workspace first, workspaces in turn.
 * Each call is one short transaction, which also says how far it came. So nobody gets a second start, or
 * none, if a process ends between two of them.
 */
export function spreadTriggers({ read, write }: PostgresDatabase): RunStore["spread"] {
  /** The workspace that had its turn. */
  let served = 0;
  return async (slice) => {
    if ((await read(({ row }) => row<{ any: boolean }>(SOME)))?.any !== true) return 0;
    return await write(async (tx) => {
      await tx.run(ALONE);
      const next = (await workspaceAfter(tx, served)) ?? (await workspaceAfter(tx, 0));
      served = next ?? 0;
      return (next === null ? 0 : await piece(tx, next, slice)) + (await tx.run(FORGET));
    });
  };
}

const workspaceAfter = async (tx: Session, workspace: number): Promise<number | null> =>
  (await tx.row<Pick<TriggerRow, "workspace">>(WORKSPACE_AFTER, [workspace]))?.workspace ?? null;

/**
 * Makes starts of a workspace's oldest triggers, for as long as the slice lasts. Returns how many rows it
 * wrote.
 */
async function piece(tx: Session, workspace: number, slice: Slice): Promise<number> {
  const isOver = slice.begin();
  let done = 0;
  do {
    const trigger = await tx.row<TriggerRow>(OLDEST, [workspace]);
    if (trigger === null) break;
    done += await spread(tx, trigger, Math.min(STARTS_AT_ONCE, slice.rowsMax - done), slice.now);
  } while (done < slice.rowsMax && !isOver());
  return done;
}

/** Makes at most so many starts of a trigger; the last ones take it along. Returns how many rows it wrote. */
async function spread(tx: Session, trigger: TriggerRow, limit: number, now: number): Promise<number> {
  const { workspace, kind, detail, through, seq } = trigger;
  const listened = await tx.rows<{ automation: number }>(LISTENED, [
    workspace,
    kind,
    detail,
    through,
    seq,
    limit,
  ]);
  const automations = listened.map(({ automation }) => automation);
  const last = automations.at(-1);
  if (last !== undefined) await tx.run(ADD, [seq, automations, now]);
  if (last === undefined || automations.length < limit) await tx.run(REMOVE, [seq]);
  else await tx.run(CAME, [seq, last]);
  return automations.length + 1;
}
