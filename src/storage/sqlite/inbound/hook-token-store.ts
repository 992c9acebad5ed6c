import type { HookTokenStore } from "#inbound/hooks/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { hookTokens } from "#storage/sqlite/schema/schema.ts";

/** Removed with each new token: more than one, so that the table shrinks when fewer reports come. */
const FORGET_AT_ONCE = 10;

export function hookTokenStore({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): HookTokenStore {
  const find = sqlite.query<Row<typeof hookTokens, "token">, [number, string]>(
    "SELECT token FROM hook_tokens WHERE workspace = ? AND token = ?",
  );
  const forgetOld = sqlite.query<null, [number]>(
    `DELETE FROM hook_tokens WHERE (workspace, token) IN (
       SELECT workspace, token FROM hook_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ${FORGET_AT_ONCE})`,
  );
  const insert = sqlite.query<null, [number, string, number]>(
    "INSERT INTO hook_tokens (workspace, token, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );

  return {
    isUsed: async (workspaceId, token) => find.get(seqOf(workspaceId), token) !== null,
    use: (workspaceId, token, expiresAt, now) =>
      writes.write(() => {
        forgetOld.run(now);
        insert.run(seqOf(workspaceId), token, expiresAt);
      }),
  };
}
