import type { Database } from "bun:sqlite";
import type { LateIndex } from "#storage/sqlite/upkeep/index-follower.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { searchIndex as indexTable } from "#storage/sqlite/schema/schema.ts";

/** A write of this size is short enough that nobody else waits for it. */
const SLICE = 1_000;
/** A search reads at most this many contacts that are not indexed yet. */
const BEHIND_MAX = 10_000;

/**
 * How far the trigram index has come. A new contact is added to it later, together with many others: adding
 * contacts one by one costs more than all other work for a contact. A search reads the contacts after
 * `through` itself; triggers keep the index correct for those up to it.
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
    /** contacts.seq of the last contact in the index. */
    get through(): number {
      return present(through.get(), "position of the search index").through;
    },

    /** contacts.seq of the newest contact, or of the last one in the index if none is newer. */
    get newest(): number {
      return Math.max(present(newest.get(), "newest contact").seq ?? 0, index.through);
    },

    /** Adds the next contacts, at most `rowsMax`. Call it on an open transaction. */
    advance(rowsMax: number): void {
      const from = index.through;
      const to = present(next.get(from, rowsMax), "end of a slice").through;
      if (to === null) return;
      add.run(from, to);
      move.run(to);
    },
  };
  return index;
}

/** The index in the form in which a server keeps it up to date. */
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
      // The newest contact may have been deleted meanwhile.
      while (index.through < Math.min(end, index.newest)) await writes.write(() => index.advance(SLICE));
    },
  };
}
