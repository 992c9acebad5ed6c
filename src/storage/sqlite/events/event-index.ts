/**
 * Writes the indexes of events for many events at a time, so that a page of an index is written once for a hundred
 * events, not once for each.
 *
 * Many events are indexed in slices, each a write of its own, so that nobody waits long. `through` moves when
 * all slices are done. Until then their rows do not count. If the process dies before that, the next one
 * writes all of them again.
 */
import type { LateIndex } from "#storage/sqlite/upkeep/index-follower.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";

/** A slice is short enough that nobody else waits for it. */
const SLICE = 1_000;

/**
 * Properties of at most this many bytes are in the index by name too, so that conditions on them read nothing else.
 * Longer ones would make all other queries about a name slower.
 */
const PROPERTIES_MAX = 256;

/** How many rows are read from the log at a time. */
const READ_MAX = 10_000;
/** Enough that several share a page of an index of millions. Until then they are kept in about 8 MB of memory. */
const RECENT_MAX = 100_000;

const BY_WORKSPACE = "INSERT OR IGNORE INTO workspace_events SELECT workspace, seq FROM events";
const BY_NAME = `INSERT OR IGNORE INTO named_events SELECT workspace, name, seq, contact, created_at, value_cents,
    iif(octet_length(properties) <= ${PROPERTIES_MAX}, properties, NULL) FROM events`;
const IN_SLICE = "WHERE seq > ? AND seq <= ?";

/** Two kinds of indexes: for a slice of the log, and for all of it. */
export const EVENT_INDEXES = {
  byWorkspace: { slice: `${BY_WORKSPACE} ${IN_SLICE} ORDER BY 1, 2`, whole: `${BY_WORKSPACE} ORDER BY 1, 2` },
  byName: { slice: `${BY_NAME} ${IN_SLICE} ORDER BY 1, 2, 3`, whole: `${BY_NAME} ORDER BY 1, 2, 3` },
} as const;

export function eventIndex({ sqlite, writes, recentEvents }: SqliteDatabase): LateIndex {
  const byWorkspace = sqlite.query<null, [number, number]>(EVENT_INDEXES.byWorkspace.slice);
  const byName = sqlite.query<null, [number, number]>(EVENT_INDEXES.byName.slice);
  const byContact = sqlite.query<null, [string]>(
    `INSERT OR IGNORE INTO contact_events SELECT e.contact, e.seq, e.name, e.value_cents
     FROM json_each(?) AS piece CROSS JOIN events AS e ON e.seq = piece.value`,
  );
  const moveThrough = sqlite.query<null, [number]>("UPDATE event_index SET through = ?");

  const catchUp = async (): Promise<void> => {
    recentEvents.readOn();
    const { seen: end, through } = recentEvents;
    const steps: (() => void)[] = [];
    for (let from = through; from < end; from += SLICE) {
      const to = Math.min(from + SLICE, end);
      steps.push(
        () => void byWorkspace.run(from, to),
        () => void byName.run(from, to),
      );
    }
    for (const piece of recentEvents.inContactOrder(end, SLICE))
      steps.push(() => void byContact.run(JSON.stringify(piece)));
    steps.push(() => void moveThrough.run(end));

    // Usually there are few events, and one write is enough.
    if (end - through <= SLICE) await writes.write(() => steps.forEach((step) => step()));
    else for (const step of steps) await writes.write(step);
    recentEvents.forget(end);
  };

  return {
    finds: "events",
    look: () => recentEvents.readOn(READ_MAX),
    get behind() {
      return recentEvents.size;
    },
    behindMax: RECENT_MAX,
    catchUp,
  };
}
