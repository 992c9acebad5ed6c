import type { AuditEntry } from "#audit/entry.ts";
import type { AuditStore } from "#audit/store.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { audit, recordCounts } from "#storage/sqlite/schema/schema.ts";
import { targetNames } from "./target-names.ts";
import { recordAct, type AuditWrites } from "./audit-writes.ts";

type EntryRow = Row<typeof audit, "seq" | "at" | "who" | "what" | "target">;

const END = Number.MAX_SAFE_INTEGER;
const READ_AT_ONCE = 500;

const entryOf = ({ seq: _seq, ...entry }: EntryRow): AuditEntry => entry;

export function auditStore(
  { sqlite, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
  entries: AuditWrites,
): AuditStore {
  const COLUMNS = "SELECT seq, at, who, what, target FROM audit";
  const all = sqlite.query<EntryRow, [number | null, number, number]>(
    `${COLUMNS} WHERE workspace IS ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  );
  const some = sqlite.query<EntryRow, [number, string, number, number]>(
    `${COLUMNS} WHERE workspace = ? AND what = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  );
  const count = sqlite.query<{ n: number }, [number]>(
    "SELECT coalesce(sum(n), 0) AS n FROM record_counts WHERE workspace = ? AND kind = 'audit'",
  );
  const countSome = sqlite.query<Row<typeof recordCounts, "n">, [number, string]>(
    "SELECT n FROM record_counts WHERE workspace = ? AND kind = 'audit' AND status = ?",
  );
  const names = targetNames(sqlite);
  const remove = sqlite.query<null, [number]>("DELETE FROM audit WHERE seq = ?");
  const complete = sqlite.query<null, [string | null, number]>("UPDATE audit SET target = ? WHERE seq = ?");

  return {
    page: async (workspaceId, { what }, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const from = before ?? END;
      const rows =
        what === null ? all.all(workspace, from, limit + 1) : some.all(workspace, what, from, limit + 1);
      const total =
        what === null
          ? present(count.get(workspace), "count of entries").n
          : (countSome.get(workspace, what)?.n ?? 0);
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: entryOf });
    },

    names: async (workspaceId, ids) => names(seqOf(workspaceId), ids),

    async *entries(workspaceId) {
      const workspace = workspaceId === null ? null : seqOf(workspaceId);
      for (let before = END; ;) {
        const rows = all.all(workspace, before, READ_AT_ONCE);
        yield* rows.map(entryOf);
        const last = rows.at(-1);
        if (last === undefined) return;
        before = last.seq;
      }
    },

    settle: async (act) => {
      const { entry } = act;
      if (entry === null ? act.onlyIfChanged === true : entry.target === act.target) return;
      await writes.write(() => {
        if (entry === null) recordAct(entries, seqOf, act);
        else complete.run(act.target, entry.seq);
      });
    },

    takeBack: async (act) => {
      const { entry } = act;
      if (entry === null) return;
      await writes.write(() => void remove.run(entry.seq));
      act.entry = null;
    },
  };
}
