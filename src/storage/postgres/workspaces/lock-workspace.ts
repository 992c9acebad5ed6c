import type { Session } from "#storage/postgres/engine/session.ts";

/**
 * Locks a workspace until the transaction ends, for a rule over several of its rows, such as how many there are.
 * Other changes of these rows wait.
 */
export async function lockWorkspace(tx: Session, workspace: number): Promise<void> {
  await tx.run("SELECT FROM workspaces WHERE seq = $1 FOR NO KEY UPDATE", [workspace]);
}
