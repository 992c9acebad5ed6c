import { present } from "#core/present.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { LateIndex } from "#storage/sqlite/upkeep/index-follower.ts";

/** A write that merges as many pages takes some milliseconds. */
const PAGES = 32;
/** Writes at one go, because a server that ends waits for them. */
const WRITES = 20;

/**
 * Merges the parts of the trigram index. FTS5 makes a part for each contact that changes, and a search asks all parts. By
 * itself it merges inside the statement that makes one, and nobody is served meanwhile. So it does not (`automerge`,
 * migration 0048), and the parts are merged here. While nobody merges, sixteen parts of a size become one inside a
 * statement. That is short until the parts are large, which takes very many changes.
 */
export function searchMerges({ sqlite, writes }: SqliteDatabase): LateIndex {
  // FTS5 keeps the list of the parts in this row. It counts in it what is written, so it differs after each write.
  const list = sqlite.query<{ parts: string }, []>(
    "SELECT hex(block) AS parts FROM contact_search_data WHERE id = 10",
  );
  const merge = sqlite.query<null, []>(
    `INSERT INTO contact_search (contact_search, rank) VALUES ('merge', ${PAGES})`,
  );
  const changes = sqlite.query<{ n: number }, []>("SELECT total_changes() AS n");
  const partsNow = (): string => present(list.get(), "parts of the search index").parts;
  const changesNow = (): number => present(changes.get(), "count of changes").n;
  let seen = partsNow();
  let merged = "";

  /** Whether there was something to merge. By the documentation of FTS5, two changes or more mean so. */
  const mergeSome = (): boolean => {
    const before = changesNow();
    merge.run();
    const hasMerged = changesNow() - before >= 2;
    if (!hasMerged) merged = partsNow();
    return hasMerged;
  };

  return {
    finds: "contacts",
    look() {
      seen = partsNow();
      return 0;
    },
    get behind() {
      return seen === merged ? 0 : 1;
    },
    behindMax: 1,
    async catchUp() {
      for (let n = 0; n < WRITES && (await writes.write(mergeSome)); n++);
    },
  };
}
