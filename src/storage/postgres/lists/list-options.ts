import { and, eq } from "drizzle-orm";
import type { ListOptions } from "#lists/options.ts";
import type { ListStore } from "#lists/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { lists } from "#storage/postgres/schema/schema.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";

type Found = ListOptions & { readonly seq: number };

/** What readers see of a list. */
export function listOptions({
  read,
  write,
  seqOf,
}: PostgresDatabase): Pick<ListStore, "options" | "hasPublic" | "changeOptions"> {
  return {
    async options(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => find(session, workspace, id));
    },

    async hasPublic(workspaceId) {
      const workspace = await seqOf(workspaceId);
      return (await read((session) => publicLists(session, workspace))) > 0;
    },

    async changeOptions(workspaceId, id, decide) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        // A rule depends on how many lists are public, so no two lists of a workspace are changed at once.
        await lockWorkspace(tx, workspace);
        const found = await find(tx, workspace, id);
        if (found === null) return null;
        const decided = decide(found, await publicLists(tx, workspace));
        if (!decided.ok) return decided;
        const { public: isPublic, publicName, description } = decided.value;
        await tx.orm
          .update(lists)
          .set({ isPublic, publicName, description })
          .where(and(eq(lists.seq, found.seq), eq(lists.id, id)));
        return decided;
      });
    },
  };
}

async function find({ orm }: Session, workspace: number, id: string): Promise<Found | null> {
  const [row] = await orm
    .select({
      seq: lists.seq,
      public: lists.isPublic,
      publicName: lists.publicName,
      description: lists.description,
    })
    .from(lists)
    .where(and(eq(lists.workspace, workspace), eq(lists.id, id)));
  return row ?? null;
}

const publicLists = ({ orm }: Session, workspace: number): Promise<number> =>
  orm.$count(lists, and(eq(lists.workspace, workspace), eq(lists.isPublic, true)));
