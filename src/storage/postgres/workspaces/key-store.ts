import { and, count, desc, eq, isNull, lt } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { KeyStore } from "#keys/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Revisions } from "#storage/postgres/engine/revisions.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import { apiKeys, type workspaces } from "#storage/postgres/schema/schema.ts";

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

const LIVE = `SELECT w.id AS workspace_id, k.id, k.name, k.scope, k.last_used_at
  FROM api_keys k JOIN workspaces w ON w.seq = k.workspace WHERE k.hash = $1 AND k.revoked_at IS NULL`;

export function keyStore({ read, write, seqOf }: PostgresDatabase, revisions: Revisions): KeyStore {
  return {
    async insert(workspaceId, key) {
      const workspace = await seqOf(workspaceId);
      await write(({ orm }) => orm.insert(apiKeys).values({ ...key, workspace }));
    },

    async list(workspaceId) {
      const mine = eq(apiKeys.workspace, await seqOf(workspaceId));
      return await read(({ orm }) => orm.select(SHOWN).from(apiKeys).where(mine).orderBy(desc(apiKeys.seq)));
    },

    async page(workspaceId, { limit, before }) {
      const mine = eq(apiKeys.workspace, await seqOf(workspaceId));
      const [rows, [counted]] = await read(({ orm }) =>
        Promise.all([
          orm
            .select({ seq: apiKeys.seq, key: SHOWN })
            .from(apiKeys)
            .where(before === null ? mine : and(mine, lt(apiKeys.seq, before)))
            .orderBy(desc(apiKeys.seq))
            .limit(limit + 1),
          orm.select({ n: count() }).from(apiKeys).where(mine),
        ]),
      );
      const { n } = present(counted, "count of keys");
      return pageOf(rows, n, limit, { position: ({ seq }) => seq, item: ({ key }) => key });
    },

    async revoke(workspaceId, id, now) {
      const mine = and(eq(apiKeys.id, id), eq(apiKeys.workspace, await seqOf(workspaceId)));
      return await revisions.changing(() =>
        write(async ({ orm }) => {
          await orm
            .update(apiKeys)
            .set({ revokedAt: now })
            .where(and(mine, isNull(apiKeys.revokedAt)));
          const [key] = await orm.select(SHOWN).from(apiKeys).where(mine);
          return key ?? null;
        }),
      );
    },

    findLive: (hash) => read(({ row }) => row<LiveKeyRow>(LIVE, [hash])),

    revision: revisions.current,

    async markUsed(id, now) {
      await write(({ orm }) => orm.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id)));
    },
  };
}
