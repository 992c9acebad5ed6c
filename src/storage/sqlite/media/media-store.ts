import type { Database } from "bun:sqlite";
import { pageOf } from "#core/request/page.ts";
import type { Media } from "#media/media.ts";
import type { MediaStore } from "#media/store.ts";
import type { Slices } from "#storage/sqlite/engine/writes/long-writes.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { media, mediaSlices } from "#storage/sqlite/schema/schema.ts";
import { recordCount } from "#storage/sqlite/workspaces/record-count.ts";

type MediaRow = Omit<Row<typeof media, keyof typeof media.$inferSelect>, "workspace">;
type SliceRow = Row<typeof mediaSlices, "content">;

const COLUMNS = "seq, id, name, type, bytes, width, height, token, created_at AS createdAt";
/** How much is written or read in one turn of the event loop. */
const SLICE_BYTES = 256 * 1024;

export function mediaStore(database: SqliteDatabase, seqOf: WorkspaceSeq): MediaStore {
  const { sqlite, writes, longWrites } = database;
  const countOf = recordCount(database);
  const newest = sqlite.query<MediaRow, [number, number, number]>(
    `SELECT ${COLUMNS} FROM media WHERE workspace = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  );
  const byToken = sqlite.query<MediaRow, [string]>(`SELECT ${COLUMNS} FROM media WHERE token = ?`);
  const remove = sqlite.query<null, [number, string]>("DELETE FROM media WHERE workspace = ? AND id = ?");
  const slices = sqlite.query<SliceRow, [number]>(
    "SELECT content FROM media_slices WHERE media = ? ORDER BY number",
  );

  return {
    async insert(workspaceId, made, content) {
      const workspace = seqOf(workspaceId);
      await longWrites.write(insertion(workspace, made, content));
      const row = byToken.get(made.token);
      // If it was deleted meanwhile, the answer is still the file that was made.
      return row === null ? made : mediaOf(row);
    },

    page: async (workspaceId, { limit, before }) => {
      const workspace = seqOf(workspaceId);
      const rows = newest.all(workspace, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      return pageOf(rows, countOf(workspace, "media"), limit, { position: ({ seq }) => seq, item: mediaOf });
    },

    delete: (workspaceId, id) => writes.write(() => remove.run(seqOf(workspaceId), id).changes > 0),

    findPublic: async (token) => {
      const row = byToken.get(token);
      return row === null ? null : { ...mediaOf(row), number: row.seq };
    },

    content: async (number) => {
      const found = slices.all(number);
      return found.length === 0 ? null : found.map(({ content }) => content);
    },
  };
}

const mediaOf = ({ seq: _seq, ...made }: MediaRow): Media => made;

/** Writes the whole file, or nothing if the workspace already has it. */
function insertion(workspace: number, made: Media, content: Uint8Array): Slices<void> {
  return function* (sqlite: Database) {
    const { id, name, type, bytes, width, height, token, createdAt } = made;
    const row = sqlite
      .query<Row<typeof media, "seq">, (string | number)[]>(
        `INSERT INTO media (id, workspace, name, type, bytes, width, height, token, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (token) DO NOTHING RETURNING seq`,
      )
      .get(id, workspace, name, type, bytes, width, height, token, createdAt);
    if (row === null) return;
    const insert = sqlite.query<null, [number, number, Uint8Array]>(
      "INSERT INTO media_slices (media, number, content) VALUES (?, ?, ?)",
    );
    for (let at = 0, number = 0; at < content.length; at += SLICE_BYTES, number++) {
      insert.run(row.seq, number, content.subarray(at, at + SLICE_BYTES));
      yield;
    }
  };
}
