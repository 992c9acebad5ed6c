import type { Database } from "bun:sqlite";
import { required } from "./required.ts";

/**
 * A number that is another one once a different connection has committed: a command beside the server, for one. It costs a look at
 * the file, so it is asked for once in a turn of the event loop. That is often enough: whatever a turn reads was sent before the turn
 * began, and so before the first question in it.
 */
function foreignChanges(sqlite: Database): () => number {
  const dataVersion = sqlite.query<{ data_version: number }, []>("PRAGMA data_version");
  let known: number | null = null;
  const forget = (): void => {
    known = null;
  };
  return () => {
    if (known === null) {
      known = required(dataVersion.get()).data_version;
      setImmediate(forget);
    }
    return known;
  };
}

/** The revision of something that this process changes (`bump`, inside the transaction), and others may change too. */
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
