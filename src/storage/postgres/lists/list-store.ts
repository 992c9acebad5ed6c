import { and, count, desc, eq, like, lt, not, sql, type SQL } from "drizzle-orm";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { ListStore } from "#lists/store.ts";
import { searchTermOf, searchTextOf } from "#storage/common/engine/search-text.ts";
import { contactPage, ofList } from "#storage/postgres/contacts/contact-pages.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { lists } from "#storage/postgres/schema/schema.ts";
import { contains } from "#storage/postgres/search/contains.ts";
import { HIDDEN, listCount } from "./hidden-lists.ts";
import { listMembers } from "./list-members.ts";
import { listOptions } from "./list-options.ts";
import { removeList } from "./list-removal.ts";
import { listSeq } from "./list-seq.ts";

export function listStore(database: PostgresDatabase): ListStore {
  return { ...records(database), ...listOptions(database), ...listMembers(database), ...pages(database) };
}

const SHOWN = {
  id: lists.id,
  name: lists.name,
  createdAt: lists.createdAt,
  contactCount: sql`(SELECT coalesce(sum(n), 0) FROM list_counts WHERE list = ${lists.seq})`.mapWith(Number),
};

type Records = Pick<ListStore, "insert" | "find" | "page" | "change" | "delete">;

function records({ read, write, seqOf }: PostgresDatabase): Records {
  return {
    async insert(workspaceId, list) {
      const workspace = await seqOf(workspaceId);
      const row = { ...list, workspace, search: searchTextOf(list.name) };
      await write(({ orm }) => orm.insert(lists).values(row));
      return { ...list, workspaceId, contactCount: 0 };
    },

    async find(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      const [found] = await read(({ orm }) => orm.select(SHOWN).from(lists).where(itself(workspace, id)));
      return found === undefined ? null : { ...found, workspaceId };
    },

    async page(workspaceId, q, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const term = searchTermOf(q ?? "");
      const mine = and(eq(lists.workspace, workspace), IS_SHOWN);
      const found = term === "" ? mine : and(mine, contains(lists.search, term));
      const [rows, total] = await read((session) =>
        Promise.all([
          session.orm
            .select({ seq: lists.seq, list: SHOWN })
            .from(lists)
            .where(before === null ? found : and(found, lt(lists.seq, before)))
            .orderBy(desc(lists.seq))
            .limit(limit + 1),
          term === "" ? listCount(session, workspace) : countOf(session, found),
        ]),
      );
      return pageOf(rows, total, limit, {
        position: ({ seq }) => seq,
        item: ({ list }) => ({ ...list, workspaceId }),
      });
    },

    async change(workspaceId, id, decide) {
      const workspace = await seqOf(workspaceId);
      return await write(async ({ orm }) => {
        const [found] = await orm.select(SHOWN).from(lists).where(itself(workspace, id)).for("no key update");
        if (found === undefined) return null;
        const content = decide(found);
        await orm
          .update(lists)
          .set({ ...content, search: searchTextOf(content.name) })
          .where(itself(workspace, id));
        return { ...found, ...content, workspaceId };
      });
    },

    async delete(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await removeList({ read, write }, workspace, id);
    },
  };
}

function pages({ read, seqOf }: PostgresDatabase): Pick<ListStore, "contacts"> {
  return {
    async contacts(workspaceId, id, filter, request) {
      const workspace = await seqOf(workspaceId);
      return await read(async (session) => {
        const list = await listSeq(session, workspace, id);
        return list === null ? null : await contactPage(session, ofList(list), filter, request);
      });
    },
  };
}

const IS_SHOWN = not(like(lists.id, `${HIDDEN}%`));

const itself = (workspace: number, id: string): SQL | undefined =>
  and(eq(lists.workspace, workspace), eq(lists.id, id));

async function countOf({ orm }: Session, condition: SQL | undefined): Promise<number> {
  const [counted] = await orm.select({ n: count() }).from(lists).where(condition);
  return present(counted, "count of lists").n;
}
