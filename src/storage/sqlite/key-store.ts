import { and, count, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { pageOf } from "#core/page.ts";
import type { KeyStore } from "#keys/store.ts";
import type { SqliteDatabase } from "./open.ts";
import { apiKeys, workspaces } from "./schema.ts";
import type { WorkspaceSeq } from "./workspace-seq.ts";

const SHOWN = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
};

export function keyStore({ orm, writes }: SqliteDatabase, seqOf: WorkspaceSeq): KeyStore {
  const live = orm
    .select({ workspaceId: workspaces.id, id: apiKeys.id, lastUsedAt: apiKeys.lastUsedAt })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.seq, apiKeys.workspace))
    .where(and(eq(apiKeys.hash, sql.placeholder("hash")), isNull(apiKeys.revokedAt)))
    .prepare();

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
      const { n } = orm.select({ n: count() }).from(apiKeys).where(mine).get()!;
      return pageOf(rows, n, limit, { position: ({ seq }) => seq, item: ({ key }) => key });
    },

    revoke: (workspaceId, id, now) =>
      writes.write(() => {
        const mine = and(eq(apiKeys.id, id), eq(apiKeys.workspace, seqOf(workspaceId)));
        orm
          .update(apiKeys)
          .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now})` })
          .where(mine)
          .run();
        return orm.select(SHOWN).from(apiKeys).where(mine).get() ?? null;
      }),

    findLive: async (hash) => live.get({ hash: Buffer.from(hash) }) ?? null,

    markUsed: (id, now) =>
      writes.write(() => {
        orm.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id)).run();
      }),
  };
}
