import type { Database } from "bun:sqlite";
import type { Instant } from "#core/clock.ts";
import { triggerDetail, type Trigger } from "#core/trigger.ts";

/** What caused the triggers: null `event` where none did; `depth` is how many automations stand before it in the chain. */
export type Cause = { readonly event: number | null; readonly depth: number; readonly at: Instant };

/**
 * Triggers on an open transaction, that of the change that caused them. A row is written for each LIVE automation that
 * listens, none where nobody does; the automations' job takes them from there.
 */
export function startWrites(sqlite: Database) {
  const add = sqlite.query<null, (string | number | null)[]>(
    `INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at)
     SELECT automation, ?4, kind, detail, ?5, ?6, ?7, ?7 FROM automation_listeners
     WHERE workspace = ?1 AND kind = ?2 AND detail = ?3`,
  );
  return (workspace: number, contact: number, triggers: readonly Trigger[], cause: Cause): void => {
    for (const trigger of triggers)
      add.run(workspace, trigger.kind, triggerDetail(trigger), contact, cause.event, cause.depth, cause.at);
  };
}

/** Which of some event names any LIVE automation of the workspace waits for: for many events of few names, one look for each name. */
export function awaitedEventNames(sqlite: Database) {
  const listener = sqlite.query<object, [number, string]>(
    "SELECT 1 FROM automation_listeners WHERE workspace = ? AND kind = 'custom_event' AND detail = ? LIMIT 1",
  );
  return (workspace: number, names: Iterable<string>): ReadonlySet<string> =>
    new Set([...names].filter((name) => listener.get(workspace, name) !== null));
}
