import { ENDED_HOLDS_KEY, withEndedHold, withoutEndedHold } from "#storage/common/automations/ended-holds.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { settings } from "#storage/postgres/schema/schema.ts";
import type { EndedHold } from "#workspaces/ended-hold.ts";
import { lockWorkspace } from "./lock-workspace.ts";

type ValueRow = Row<typeof settings, "value">;

const FIND = "SELECT value FROM settings WHERE workspace = $1 AND key = $2";
const WRITE = `INSERT INTO settings (workspace, key, value) VALUES ($1, $2, $3)
  ON CONFLICT (workspace, key) DO UPDATE SET value = excluded.value`;

/** The transaction has locked the workspace. */
export async function keepEndedHold(tx: Session, workspace: number, hold: EndedHold): Promise<void> {
  const written = (await tx.row<ValueRow>(FIND, [workspace, ENDED_HOLDS_KEY]))?.value ?? "";
  await tx.run(WRITE, [workspace, ENDED_HOLDS_KEY, withEndedHold(written, hold)]);
}

export async function forgetEndedHold(tx: Session, workspace: number, hold: EndedHold): Promise<void> {
  await lockWorkspace(tx, workspace);
  const found = await tx.row<ValueRow>(FIND, [workspace, ENDED_HOLDS_KEY]);
  if (found !== null) await tx.run(WRITE, [workspace, ENDED_HOLDS_KEY, withoutEndedHold(found.value, hold)]);
}
