import { and, count, eq } from "drizzle-orm";
import type { ListOptions } from "#lists/options.ts";
import type { ListStore } from "#lists/store.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { lists } from "#storage/sqlite/schema/tables/lists.ts";

/** What readers see of a list. */
export function listOptions(
  { orm, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<ListStore, "options" | "hasPublic" | "changeOptions"> {
  const find = (workspace: number, id: string): (ListOptions & { readonly seq: number }) | null => {
    const row = orm
      .select({
        seq: lists.seq,
        isPublic: lists.isPublic,
        publicName: lists.publicName,
        description: lists.description,
      })
      .from(lists)
      .where(and(eq(lists.workspace, workspace), eq(lists.id, id)))
      .get();
    if (row === undefined) return null;
    const { isPublic, ...rest } = row;
    return { ...rest, public: isPublic === 1 };
  };
  const publicLists = (workspace: number): number =>
    present(
      orm
        .select({ n: count() })
        .from(lists)
        .where(and(eq(lists.workspace, workspace), eq(lists.isPublic, 1)))
        .get(),
      "count of public lists",
    ).n;

  return {
    options: async (workspaceId, id) => find(seqOf(workspaceId), id),

    hasPublic: async (workspaceId) => publicLists(seqOf(workspaceId)) > 0,

    changeOptions: (workspaceId, id, decide) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const found = find(workspace, id);
        if (found === null) return null;
        const decided = decide(found, publicLists(workspace));
        if (!decided.ok) return decided;
        const { public: isPublic, publicName, description } = decided.value;
        orm
          .update(lists)
          .set({ isPublic: isPublic ? 1 : 0, publicName, description })
          .where(eq(lists.seq, found.seq))
          .run();
        return decided;
      }),
  };
}
