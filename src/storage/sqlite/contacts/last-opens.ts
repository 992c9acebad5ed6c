import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import type { Instant } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { contactSeq } from "./contact-seq.ts";

/** How many messages are read at a time: some milliseconds. */
const SLICE = 1_000;

/** The mailing is looked up only of what was opened. */
export const OPENS = `SELECT count(*) AS n, max(seq) AS last, max(at) AS at FROM (
    SELECT d.seq, iif(d.opened_at IS NULL, NULL,
      (SELECT d.opened_at FROM mailings AS m WHERE m.seq = d.mailing AND m.kind = 'campaign')) AS at
    FROM deliveries AS d INDEXED BY deliveries_by_contact WHERE d.contact = ? AND d.seq > ? ORDER BY d.seq LIMIT ${SLICE})`;

type Slice = { readonly n: number; readonly last: number | null; readonly at: Instant | null };

/**
 * `ContactStore.lastOpens`. The index has a contact's messages and not their opens: an index of opens would be
 * written at each open, for a figure that few look at. So the messages are read, in slices with a turn of the event
 * loop between them.
 */
export function lastOpens(
  sqlite: Database,
): (workspace: number, ids: readonly string[]) => Promise<Map<string, Instant>> {
  const opens = sqlite.query<Slice, [number, number]>(OPENS);
  const seqOf = contactSeq(sqlite);

  /** What there is to know of a contact's messages, oldest first. */
  function* slicesOf(contact: number): Generator<Slice> {
    let after: number | null = 0;
    while (after !== null) {
      const slice: Slice = present(opens.get(contact, after), "slice of messages");
      yield slice;
      after = slice.n < SLICE ? null : slice.last;
    }
  }

  return async (workspace, ids) => {
    const found = new Map<string, Instant>();
    let read = 0;
    for (const id of ids) {
      const contact = seqOf(workspace, id);
      if (contact === null) continue;
      for (const { n, at } of slicesOf(contact)) {
        if (at !== null) found.set(id, Math.max(at, found.get(id) ?? at));
        read += n;
        if (read < SLICE) continue;
        read = 0;
        await nextLoopTurn();
      }
    }
    return found;
  };
}
