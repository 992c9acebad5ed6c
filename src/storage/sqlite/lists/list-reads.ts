import { and, count, desc, eq, gt, lt, sql, type SQL } from "drizzle-orm";
import type { List } from "#lists/list.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import { listCounts, lists } from "#storage/sqlite/schema/tables/lists.ts";
import { searchInSlices, type Between } from "#storage/sqlite/search/search-in-slices.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import { recordCount } from "#storage/sqlite/workspaces/record-count.ts";

type Found = Omit<List, "workspaceId">;
type FoundList = { readonly seq: number; readonly list: Found };

/** How many lists a search reads in one turn of the event loop: some milliseconds. */
const SLICE = 4_096;

const within = ({ after, before }: Between): SQL | undefined =>
  and(gt(lists.seq, after), lt(lists.seq, before));

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
  const slice = orm
    .select({ seq: lists.seq })
    .from(lists)
    .where(and(eq(lists.workspace, sql.placeholder("workspace")), lt(lists.seq, sql.placeholder("end"))))
    .orderBy(desc(lists.seq))
    .limit(1)
    .offset(SLICE - 1)
    .prepare();

  return {
    find: (workspace: number, id: string): FoundList | null => byId.get({ workspace, id }) ?? null,

    /** Newest first. */
    async page(workspace: number, q: string | null, { limit, before }: PageRequest): Promise<Page<Found>> {
      const term = searchTermOf(q ?? "");
      const mine = eq(lists.workspace, workspace);
      const newest = (where: SQL | undefined, most: number) =>
        orm
          .select({ seq: lists.seq, list: SHOWN })
          .from(lists)
          .where(where)
          .orderBy(desc(lists.seq))
          .limit(most)
          .all();
      const all = () => ({
        rows: newest(before === null ? mine : and(mine, lt(lists.seq, before)), limit + 1),
        total: countAll(workspace, "list"),
      });
      const found = (range: Between) => and(mine, within(range), sql`instr(${lists.search}, ${term}) > 0`);
      const searched = {
        startOf: (end: number) => (slice.get({ workspace, end })?.seq ?? 1) - 1,
        count: (range: Between) =>
          present(orm.select({ n: count() }).from(lists).where(found(range)).get(), "count of lists").n,
        newest: (range: Between, most: number) => newest(found(range), most),
      };
      const { rows, total } =
        term === "" ? all() : await searchInSlices(searched, { rows: limit + 1, before });
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: ({ list }) => list });
    },
  };
}
