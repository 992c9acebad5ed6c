import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Instant } from "#core/time/clock.ts";
import { triggerDetail, type Trigger } from "#core/trigger.ts";
import { present } from "#core/present.ts";
import { STARTS_AT_ONCE } from "#storage/common/automations/start-limits.ts";

/**
 * What caused the triggers. `event` is null if it was no event. `depth` is how many automations come before it in
 * the chain.
 */
type Cause = { readonly event: number | null; readonly depth: number; readonly at: Instant };

/** Writes the starts for a contact's triggers. */
type Start = (contact: number, triggers: readonly Trigger[], cause: Cause) => void;

/**
 * Writes triggers, in the transaction of the change that caused them: one row for each LIVE automation that
 * listens. The job of the automations takes them from there. Where that would be too many rows, it is one row
 * that waits, and the job makes the others of it (run/run-spread.ts).
 */
export const startWrites = oncePerDatabase((sqlite) => {
  const add = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at)
     SELECT automation, ?4, kind, detail, ?5, ?6, ?7, ?7 FROM automation_listeners
     WHERE workspace = ?1 AND kind = ?2 AND detail = ?3`,
  );
  const wait = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO automation_triggers (workspace, kind, detail, contact, event, depth, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const count = sqlite.query<{ n: number }, [number, string, string]>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM automation_listeners
       WHERE workspace = ? AND kind = ? AND detail = ? LIMIT ${STARTS_AT_ONCE + 1})`,
  );
  const waits = sqlite.query<object, [number]>("SELECT 1 FROM automation_triggers WHERE contact = ? LIMIT 1");
  /** Whatever comes after a contact's trigger that waits, waits behind it: their order is kept. */
  const isBehind = (contact: number): boolean => waits.get(contact) !== null;

  /**
   * For the changes of one transaction. How many automations listen is looked up only once for equal
   * triggers.
   */
  return (workspace: number): Start => {
    const listeners = new Map<string, number>();
    let left = STARTS_AT_ONCE;
    return (contact, triggers, cause) => {
      for (const trigger of triggers) {
        const detail = triggerDetail(trigger);
        const key = `${trigger.kind} ${detail}`;
        const listening =
          listeners.get(key) ??
          present(count.get(workspace, trigger.kind, detail), "count of those who listen").n;
        listeners.set(key, listening);
        if (listening === 0) continue;
        const isLater = listening > left || isBehind(contact);
        (isLater ? wait : add).run(
          workspace,
          trigger.kind,
          detail,
          contact,
          cause.event,
          cause.depth,
          cause.at,
        );
        if (!isLater) left -= listening;
      }
    };
  };
});
