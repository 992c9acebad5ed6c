import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Instant } from "#core/time/clock.ts";
import { triggerDetail, type Trigger } from "#core/trigger.ts";

/**
 * What caused the triggers. `event` is null if it was no event. `depth` is how many automations come before it in
 * the chain.
 */
type Cause = { readonly event: number | null; readonly depth: number; readonly at: Instant };

/** Writes the starts for a contact's triggers. */
type Start = (contact: number, triggers: readonly Trigger[], cause: Cause) => void;

/**
 * Writes triggers, in the transaction of the change that caused them: one row for each LIVE automation that
 * listens. The job of the automations takes them from there.
 */
export const startWrites = oncePerDatabase((sqlite) => {
  const add = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at)
     SELECT automation, ?4, kind, detail, ?5, ?6, ?7, ?7 FROM automation_listeners
     WHERE workspace = ?1 AND kind = ?2 AND detail = ?3`,
  );
  const listener = sqlite.query<object, [number, string, string]>(
    "SELECT 1 FROM automation_listeners WHERE workspace = ? AND kind = ? AND detail = ? LIMIT 1",
  );

  /** For the changes of one transaction. Whether an automation listens is looked up only once for equal triggers. */
  return (workspace: number): Start => {
    const hasListener = new Map<string, boolean>();
    return (contact, triggers, cause) => {
      for (const trigger of triggers) {
        const detail = triggerDetail(trigger);
        const key = `${trigger.kind} ${detail}`;
        const listens = hasListener.get(key) ?? listener.get(workspace, trigger.kind, detail) !== null;
        hasListener.set(key, listens);
        if (listens) add.run(workspace, trigger.kind, detail, contact, cause.event, cause.depth, cause.at);
      }
    };
  };
});
