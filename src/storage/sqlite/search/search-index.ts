import type { Database } from "bun:sqlite";
import type { LateIndex } from "#storage/sqlite/upkeep/index-follower.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { required } from "#storage/sqlite/engine/required.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { searchIndex as indexTable } from "#storage/sqlite/schema/schema.ts";

/** One write keeps the event loop for a few milliseconds. */
const SLICE = 1_000;
/** Whoever searches reads so many at most: some milliseconds. */
const BEHIND_MAX = 10_000;

/**
 * How far the trigram index has come. A new contact is put into it later, with many others: one by one the index costs more than all
 * the rest of the contact. Whoever searches looks through the contacts beyond `through` themselves; those up to it are kept true by
 * triggers.
 */
export function searchIndex(sqlite: Database) {
  const through = sqlite.query<Row<typeof indexTable, "through">, []>(
    "SELECT through FROM search_index WHERE only = 1",
  );
  const newest = sqlite.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM contacts");
  const next = sqlite.query<{ through: number | null }, [number, number]>(
    "SELECT max(seq) AS through FROM (SELECT seq FROM contacts WHERE seq > ? ORDER BY seq LIMIT ?)",
  );
  const add = sqlite.query<null, [number, number]>(
    "INSERT INTO contact_search (rowid, search) SELECT seq, search FROM contacts WHERE seq > ? AND seq <= ? ORDER BY seq",
  );
  const move = sqlite.query<null, [number]>("UPDATE search_index SET through = ?");

  const index = {
    /** contacts.seq of the last contact of which the index knows. */
    get through(): number {
      return required(through.get()).through;
    },

    /** contacts.seq of the newest contact; that of the index where there is none beyond. */
    get newest(): number {
      return Math.max(required(newest.get()).seq ?? 0, index.through);
    },

    /** On an open transaction: adds the next contacts, `rowsMax` at most. */
    advance(rowsMax: number): void {
      const from = index.through;
      const to = required(next.get(from, rowsMax)).through;
      if (to === null) return;
      add.run(from, to);
      move.run(to);
    },
  };
  return index;
}

/** The index as a server follows it. */
export function contactIndex({ sqlite, writes }: SqliteDatabase): LateIndex {
  const index = searchIndex(sqlite);
  let seen = index.newest;
  return {
    finds: "contacts",
    look() {
      const before = seen;
      seen = index.newest;
      return seen - before;
    },
    get behind() {
      return Math.max(0, seen - index.through);
    },
    behindMax: BEHIND_MAX,
    async catchUp() {
      const end = index.newest;
      // Whoever was the newest may be gone by now.
      while (index.through < Math.min(end, index.newest)) await writes.write(() => index.advance(SLICE));
    },
  };
}
