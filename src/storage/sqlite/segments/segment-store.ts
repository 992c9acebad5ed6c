import type { Database } from "bun:sqlite";
import { accept } from "#core/errors/errors.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { pageOf } from "#core/request/page.ts";
import type { Reference } from "#segments/references.ts";
import type { Segment } from "#segments/segment.ts";
import type { SegmentStore } from "#segments/store.ts";
import { withParsedRules } from "#storage/common/segments/parsed-rules.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { segments } from "#storage/sqlite/schema/schema.ts";
import { segmentReferences } from "./segment-references.ts";

type SegmentRow = Row<typeof segments, "seq" | "id" | "name" | "rules" | "createdAt" | "updatedAt">;

const USERS_SHOWN = 100;

const COLUMNS = "seq, id, name, rules, created_at AS createdAt, updated_at AS updatedAt";

export function segmentStore({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): SegmentStore {
  const { byId, newest, count, insert, update, remove } = statements(sqlite);
  const references = segmentReferences(sqlite);
  const countOf = (workspace: number): number => present(count.get(workspace), "count of segments").n;
  const surroundings = (workspace: number, named: readonly Reference[]) => ({
    missing: references.missing(workspace, named),
    uses: references.uses(workspace, named),
  });

  return {
    insert: (workspaceId, { id, name, rules, createdAt }, named, check) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const checked = check({ ...surroundings(workspace, named), segments: countOf(workspace) });
        if (!checked.ok) return checked;
        insert.run(id, workspace, name, JSON.stringify(rules), createdAt, createdAt);
        const row = present(byId.get(workspace, id), "segment that was just written");
        references.save(workspace, row.seq, named);
        return accept(segmentOf(row));
      }),

    find: async (workspaceId, id) => {
      const row = byId.get(seqOf(workspaceId), id);
      return row === null ? null : segmentOf(row);
    },

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = newest.all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const total = countOf(workspace);
      return pageOf(await withParsedRules(rows), total, limit, { position: (row) => row.seq, item: shown });
    },

    change: (workspaceId, id, named, decide, at) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const row = byId.get(workspace, id);
        if (row === null) return null;
        const decided = decide(segmentOf(row), surroundings(workspace, named ?? []));
        if (!decided.ok) return decided;
        const rules = JSON.stringify(decided.value.rules);
        if (decided.value.name === row.name && rules === row.rules) return accept(segmentOf(row));
        update.run(decided.value.name, rules, at, row.seq);
        if (named !== null) references.save(workspace, row.seq, named);
        return accept(segmentOf({ ...row, name: decided.value.name, rules, updatedAt: at }));
      }),

    delete: (workspaceId, id) =>
      writes.write(() => {
        const row = byId.get(seqOf(workspaceId), id);
        if (row === null) return null;
        const [user] = references.usersOf(row.seq, 1);
        if (user !== undefined) return user;
        remove.run(row.seq);
        return "deleted";
      }),

    users: async (workspaceId, id) => {
      const row = byId.get(seqOf(workspaceId), id);
      return row === null ? null : references.usersOf(row.seq, USERS_SHOWN);
    },

    missing: async (workspaceId, named) => references.missing(seqOf(workspaceId), named),

    names: async (workspaceId, named) => references.names(seqOf(workspaceId), named),
  };
}

const segmentOf = (row: SegmentRow): Segment => shown({ ...row, rules: JSON.parse(row.rules) as JsonValue });

const shown = ({ seq: _seq, ...segment }: Segment & Pick<SegmentRow, "seq">): Segment => segment;

function statements(sqlite: Database) {
  return {
    byId: sqlite.query<SegmentRow, [number, string]>(
      `SELECT ${COLUMNS} FROM segments WHERE workspace = ? AND id = ?`,
    ),
    newest: sqlite.query<SegmentRow, [number, number, number]>(
      `SELECT ${COLUMNS} FROM segments WHERE workspace = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    ),
    count: sqlite.query<{ n: number }, [number]>(
      "SELECT coalesce(sum(n), 0) AS n FROM record_counts WHERE workspace = ? AND kind = 'segment'",
    ),
    insert: sqlite.query<null, (string | number)[]>(
      "INSERT INTO segments (id, workspace, name, rules, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    update: sqlite.query<null, [string, string, number, number]>(
      "UPDATE segments SET name = ?, rules = ?, updated_at = ? WHERE seq = ?",
    ),
    remove: sqlite.query<null, [number]>("DELETE FROM segments WHERE seq = ?"),
  };
}
