import type { Database } from "bun:sqlite";
import type { BounceStore } from "#bounces/store.ts";
import { UNREAD_LIMITS, type UnreadMailEntry } from "#bounces/unread.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { unreadMails as unreadTable, workspaces } from "#storage/sqlite/schema/schema.ts";

type Unread = Pick<
  BounceStore,
  "keep" | "unread" | "unreadPage" | "findUnread" | "readUnread" | "removeUnread"
>;
type EntryRow = Row<typeof unreadTable, "way" | "subject" | "sizeBytes" | "receivedAt"> & {
  number: Value<typeof unreadTable, "seq">;
  from: Value<typeof unreadTable, "sender">;
  workspaceId: Value<typeof workspaces, "id"> | null;
};

/** An entry of the table u, with the workspace w. */
const ENTRY = `SELECT u.seq AS number, w.id AS workspaceId, u.way, u.sender AS "from", u.subject, u.size_bytes AS sizeBytes,
  u.received_at AS receivedAt`;

/** Mails that could not be read. */
export function unreadMails({ sqlite, writes }: SqliteDatabase, seqOf: WorkspaceSeq): Unread {
  const insert = sqlite.query(
    `INSERT INTO unread_mails (workspace, digest, way, sender, subject, size_bytes, raw, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const list = sqlite.query<EntryRow, [number | null]>(
    `${ENTRY} FROM unread_mails AS u LEFT JOIN workspaces AS w ON w.seq = u.workspace
     WHERE ?1 IS NULL OR u.workspace = ?1 ORDER BY u.seq DESC`,
  );
  const read = sqlite.query<Row<typeof unreadTable, "raw">, [number]>(
    "SELECT raw FROM unread_mails WHERE seq = ?",
  );
  const remove = sqlite.query<null, [number, number | null]>(
    "DELETE FROM unread_mails WHERE seq = ?1 AND (?2 IS NULL OR workspace = ?2)",
  );
  const removeOld = sqlite.query<null, [number]>("DELETE FROM unread_mails WHERE received_at < ?");
  // Adds up from the newest on, and removes mails beyond the limits.
  const removeBeyond = sqlite.query<null, [number, number]>(
    `DELETE FROM unread_mails WHERE seq IN (
       SELECT seq FROM (SELECT seq, row_number() OVER newest AS n, sum(size_bytes) OVER newest AS bytes
                        FROM unread_mails WINDOW newest AS (ORDER BY seq DESC))
       WHERE n > ? OR bytes > ?)`,
  );

  return {
    keep: ({ workspaceId, way, from, subject, raw, receivedAt }) =>
      writes.write(() => {
        const workspace = workspaceId === null ? null : seqOf(workspaceId);
        const digest = new Bun.CryptoHasher("sha256").update(raw).digest();
        const kept = insert.run(workspace, digest, way, from, subject, raw.length, raw, receivedAt);
        removeOld.run(receivedAt - UNREAD_LIMITS.ageMs);
        removeBeyond.run(UNREAD_LIMITS.count, UNREAD_LIMITS.bytes);
        return kept.changes > 0;
      }),
    unread: async (workspaceId): Promise<UnreadMailEntry[]> =>
      list.all(workspaceId === null ? null : seqOf(workspaceId)),
    ...unreadOfWorkspace(sqlite, seqOf),
    readUnread: async (number) => read.get(number)?.raw ?? null,
    removeUnread: (number, workspaceId) =>
      writes.write(() => remove.run(number, workspaceId === null ? null : seqOf(workspaceId)).changes > 0),
  };
}

type FoundRow = EntryRow & Row<typeof unreadTable, "raw">;

/** The mails of one workspace, as its people see them. */
function unreadOfWorkspace(
  sqlite: Database,
  seqOf: WorkspaceSeq,
): Pick<BounceStore, "unreadPage" | "findUnread"> {
  const page = sqlite.query<EntryRow, [number, number, number]>(
    `${ENTRY} FROM unread_mails AS u CROSS JOIN workspaces AS w ON w.seq = u.workspace
     WHERE u.workspace = ? AND u.seq < ? ORDER BY u.seq DESC LIMIT ?`,
  );
  const count = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM unread_mails WHERE workspace = ?",
  );
  const find = sqlite.query<FoundRow, [number, number]>(
    `${ENTRY}, u.raw FROM unread_mails AS u CROSS JOIN workspaces AS w ON w.seq = u.workspace
     WHERE u.seq = ? AND u.workspace = ?`,
  );

  return {
    unreadPage: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = page.all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return pageOf(rows, present(count.get(workspace), "count of mails").n, limit, {
        position: ({ number }) => number,
        item: (row): UnreadMailEntry => row,
      });
    },
    findUnread: async (workspaceId, number) => find.get(number, seqOf(workspaceId)),
  };
}
