import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";

/**
 * Whether anything was written to the database since the last call, by any connection; true the first time. Writes
 * that were rolled back count too.
 */
export function changesSince(sqlite: Database): () => boolean {
  const own = sqlite.prepare<{ changes: number }, []>("SELECT total_changes() AS changes");
  const others = sqlite.prepare<{ data_version: number }, []>("PRAGMA data_version");
  let seen: { changes: number; version: number } | null = null;
  return () => {
    const { changes } = present(own.get(), "count of changes");
    const { data_version: version } = present(others.get(), "version of the data");
    const isNew = seen?.changes !== changes || seen.version !== version;
    seen = { changes, version };
    return isNew;
  };
}
