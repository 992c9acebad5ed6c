import type { AuditEntry } from "#audit/entry.ts";
import type { AuditStore } from "#audit/store.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { audit, campaigns } from "#storage/postgres/schema/schema.ts";
import { addEntry } from "./audit-writes.ts";

type EntryRow = Row<typeof audit, "seq" | "at" | "who" | "what" | "target">;

const COLUMNS = "SELECT seq, at, who, what, target FROM audit WHERE";
const COUNT = `SELECT coalesce(sum(n), 0)::int8 AS n FROM record_counts
  WHERE workspace = $1 AND kind = 'audit' AND ($2::text IS NULL OR status = $2)`;

/** The names of everything that the log mentions and that still exists. */
const NAMES = `SELECT id, name FROM campaigns WHERE workspace = $1 AND id = ANY($2::text[])
  UNION ALL SELECT id, name FROM automations WHERE workspace = $1 AND id = ANY($2::text[]) AND status <> 'DELETED'
  UNION ALL SELECT id, email FROM contacts WHERE workspace = $1 AND id = ANY($2::text[])
  UNION ALL SELECT id, file_name FROM imports WHERE workspace = $1 AND id = ANY($2::text[])
  UNION ALL SELECT id, url FROM webhooks WHERE workspace = $1 AND id = ANY($2::text[])`;

const END = Number.MAX_SAFE_INTEGER;
const READ_AT_ONCE = 500;

const entryOf = ({ seq: _seq, ...entry }: EntryRow): AuditEntry => entry;

type Wanted = { readonly what: string | null; readonly before: number; readonly limit: number };

/** @param workspace null: the entries that belong to no workspace */
function entriesBefore(
  session: Session,
  workspace: number | null,
  { what, before, limit }: Wanted,
): Promise<EntryRow[]> {
  const page = "seq < $1 ORDER BY seq DESC LIMIT $2";
  if (workspace === null) return session.rows(`${COLUMNS} workspace IS NULL AND ${page}`, [before, limit]);
  if (what === null) return session.rows(`${COLUMNS} workspace = $3 AND ${page}`, [before, limit, workspace]);
  return session.rows(`${COLUMNS} workspace = $3 AND what = $4 AND ${page}`, [
    before,
    limit,
    workspace,
    what,
  ]);
}

export function auditStore({ read, write, seqOf }: PostgresDatabase): AuditStore {
  return {
    async page(workspaceId, { what }, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const [rows, counted] = await read((session) =>
        Promise.all([
          entriesBefore(session, workspace, { what, before: before ?? END, limit: limit + 1 }),
          session.row<{ n: number }>(COUNT, [workspace, what]),
        ]),
      );
      const total = present(counted, "count of entries").n;
      return pageOf(rows, total, limit, { position: ({ seq }) => seq, item: entryOf });
    },

    async names(workspaceId, ids) {
      const workspace = await seqOf(workspaceId);
      const found = await read((session) =>
        session.rows<Row<typeof campaigns, "id" | "name">>(NAMES, [workspace, [...ids]]),
      );
      return new Map(found.map(({ id, name }) => [id, name]));
    },

    async *entries(workspaceId) {
      const workspace = workspaceId === null ? null : await seqOf(workspaceId);
      for (let before = END; ;) {
        const wanted = { what: null, before, limit: READ_AT_ONCE };
        const rows = await read((session) => entriesBefore(session, workspace, wanted));
        yield* rows.map(entryOf);
        const last = rows.at(-1);
        if (last === undefined) return;
        before = last.seq;
      }
    },

    async settle(act) {
      const { entry, target } = act;
      if (entry === null ? act.onlyIfChanged === true : entry.target === target) return;
      const workspace = await seqOf(act.workspaceId);
      if (entry === null) act.entry = { seq: await write((tx) => addEntry(tx, workspace, act)), target };
      else await write((tx) => tx.run("UPDATE audit SET target = $1 WHERE seq = $2", [target, entry.seq]));
    },

    async takeBack(act) {
      const { entry } = act;
      if (entry === null) return;
      await write((tx) => tx.run("DELETE FROM audit WHERE seq = $1", [entry.seq]));
      act.entry = null;
    },
  };
}
