import type { WaitingFiles } from "#imports/store.ts";
import type { Transactions } from "#storage/postgres/engine/transaction.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { importSlices } from "#storage/postgres/schema/schema.ts";

const ADD = "INSERT INTO import_slices (import, number, content, created_at) VALUES ($1, $2, $3, $4)";
const SLICE = "SELECT content FROM import_slices WHERE import = $1 AND number = $2";
const REMOVE = "DELETE FROM import_slices WHERE import = $1";
const SWEEP = "DELETE FROM import_slices WHERE NOT import = ANY($1::text[]) AND created_at < $2";

export function waitingFiles({ read, write }: Pick<Transactions, "read" | "write">): WaitingFiles {
  return {
    async add(id, number, piece, at) {
      await write((tx) => tx.run(ADD, [id, number, piece, at]));
    },
    async piece(id, number) {
      const found = await read(({ row }) => row<Row<typeof importSlices, "content">>(SLICE, [id, number]));
      return found?.content ?? null;
    },
    async remove(id) {
      await write((tx) => tx.run(REMOVE, [id]));
    },
    async sweep(needed, before) {
      await write((tx) => tx.run(SWEEP, [[...needed], before]));
    },
  };
}
