import { and, count, desc, eq, lt, sql } from "drizzle-orm";
import type { List } from "#lists/list.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import { listCounts, lists } from "#storage/sqlite/schema/tables/lists.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import { recordCount } from "#storage/sqlite/workspaces/record-count.ts";

type FoundList = { readonly seq: number; readonly list: Omit<List, "workspaceId"> };

const SHOWN = {
  id: lists.id,
  name: lists.name,
  createdAt: lists.createdAt,
  contactCount: sql<number>`(SELECT coalesce(sum(${listCounts.n}), 0) FROM ${listCounts} WHERE ${eq(listCounts.list, lists.seq)})`,
};

/** The queries for lists. */
export function listReads(database: SqliteDatabase) {
  const { orm } = database;
  const countAll = recordCount(database);
  const byId = orm
    .select({ seq: lists.seq, list: SHOWN })
    .from(lists)
    .where(and(eq(lists.workspace, sql.placeholder("workspace")), eq(lists.id, sql.placeholder("id"))))
    .prepare();

  return {
    find: (workspace: number, id: string): FoundList | null => byId.get({ workspace, id }) ?? null,

    /** Newest first. A search reads all lists of the workspace, because there are few. */
    page(
      workspace: number,
      q: string | null,
      { limit, before }: PageRequest,
    ): Page<Omit<List, "workspaceId">> {
      const term = searchTermOf(q ?? "");
      const mine = eq(lists.workspace, workspace);
      const found = term === "" ? mine : and(mine, sql`instr(${lists.search}, ${term}) > 0`);
      const rows = orm
        .select({ seq: lists.seq, list: SHOWN })
        .from(lists)
        .where(before === null ? found : and(found, lt(lists.seq, before)))
        .orderBy(desc(lists.seq))
        .limit(limit + 1)
        .all();
      const total =
        term === ""
          ? countAll(workspace, "list")
          : present(orm.select({ n: count() }).from(lists).where(found).get(), "count of lists").n;
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ list }) => list });
    },
  };
}
