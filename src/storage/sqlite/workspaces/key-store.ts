import { and, count, desc, eq, isNull, lt } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import type { KeyStore } from "#keys/store.ts";
import { revisionsOf } from "#storage/sqlite/engine/revisions.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { apiKeys, type workspaces } from "#storage/sqlite/schema/tables/workspaces.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { present } from "#core/present.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";

const SHOWN = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  scope: apiKeys.scope,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
};

type LiveKeyRow = Row<typeof apiKeys, "id" | "name" | "scope" | "lastUsedAt"> & {
  workspaceId: Value<typeof workspaces, "id">;
};

export function keyStore({ sqlite, orm, writes }: SqliteDatabase, seqOf: WorkspaceSeq): KeyStore {
  const live = sqlite.query<LiveKeyRow, [Uint8Array]>(
    `SELECT w.id AS workspaceId, k.id, k.name, k.scope, k.last_used_at AS lastUsedAt
     FROM api_keys k JOIN workspaces w ON w.seq = k.workspace WHERE k.hash = ? AND k.revoked_at IS NULL`,
  );
  const revisions = revisionsOf(sqlite);

  return {
    insert: (workspaceId, key) =>
      writes.write(() => {
        orm
          .insert(apiKeys)
          .values({ ...key, hash: Buffer.from(key.hash), workspace: seqOf(workspaceId) })
          .run();
      }),

    list: async (workspaceId) =>
      orm
        .select(SHOWN)
        .from(apiKeys)
        .where(eq(apiKeys.workspace, seqOf(workspaceId)))
        .orderBy(desc(apiKeys.seq))
        .all(),

    page: async (workspaceId, { limit, before }) => {
      const mine = eq(apiKeys.workspace, seqOf(workspaceId));
      const rows = orm
        .select({ seq: apiKeys.seq, key: SHOWN })
        .from(apiKeys)
        .where(before === null ? mine : and(mine, lt(apiKeys.seq, before)))
        .orderBy(desc(apiKeys.seq))
        .limit(limit + 1)
        .all();
      const { n } = present(orm.select({ n: count() }).from(apiKeys).where(mine).get(), "count of keys");
      return pageOf(rows, n, limit, { position: ({ seq }) => seq, item: ({ key }) => key });
    },

    revoke: (workspaceId, id, now) =>
      writes.write(() => {
        const mine = and(eq(apiKeys.id, id), eq(apiKeys.workspace, seqOf(workspaceId)));
        revisions.bump();
        orm
          .update(apiKeys)
          .set({ revokedAt: now })
          .where(and(mine, isNull(apiKeys.revokedAt)))
          .run();
        return orm.select(SHOWN).from(apiKeys).where(mine).get() ?? null;
      }),

    findLive: async (hash) => live.get(hash),

    revision: revisions.current,

    markUsed: (id, now) =>
      writes.write(() => {
        orm.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id)).run();
      }),
  };
}
