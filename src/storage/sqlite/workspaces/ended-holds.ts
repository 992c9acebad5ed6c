import type { Database } from "bun:sqlite";
import { ENDED_HOLDS_KEY, withEndedHold, withoutEndedHold } from "#storage/common/automations/ended-holds.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { settings } from "#storage/sqlite/schema/tables/workspaces.ts";
import type { EndedHold } from "#workspaces/ended-hold.ts";

/** Both are part of a write. */
export function endedHoldRows(sqlite: Database) {
  const find = sqlite.query<Row<typeof settings, "value">, [number, string]>(
    "SELECT value FROM settings WHERE workspace = ? AND key = ?",
  );
  const write = sqlite.query<null, [number, string, string]>(
    "INSERT INTO settings (workspace, key, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const written = (workspace: number): string => find.get(workspace, ENDED_HOLDS_KEY)?.value ?? "";

  return {
    keep: (workspace: number, hold: EndedHold) =>
      write.run(workspace, ENDED_HOLDS_KEY, withEndedHold(written(workspace), hold)),
    forget: (workspace: number, hold: EndedHold) =>
      write.run(workspace, ENDED_HOLDS_KEY, withoutEndedHold(written(workspace), hold)),
  };
}
