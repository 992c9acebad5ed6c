import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";

/**
 * A number that changes when another connection commits, for example a command that runs while the server does.
 * Reading it costs an access to the file, so it is read once per turn of the event loop. That is often enough:
 * every request that is read in a turn was sent before that turn, so before the number was read in it.
 */
function foreignChanges(sqlite: Database): () => number {
  const dataVersion = sqlite.query<{ data_version: number }, []>("PRAGMA data_version");
  let known: number | null = null;
  const forget = (): void => {
    known = null;
  };
  return () => {
    if (known === null) {
      known = present(dataVersion.get(), "version of the data").data_version;
      setImmediate(forget);
    }
    return known;
  };
}

/**
 * The revision of data that this process changes (it calls `bump` inside the transaction) and that other
 * processes may change too.
 */
export function revisionsOf(sqlite: Database): { bump(): void; current(): number } {
  const foreign = foreignChanges(sqlite);
  let seenForeign = foreign();
  let revision = 0;
  return {
    bump: () => void revision++,
    current() {
      const now = foreign();
      if (now !== seenForeign) revision++;
      seenForeign = now;
      return revision;
    },
  };
}
