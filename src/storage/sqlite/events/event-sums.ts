/**
 * What is summed up over all events of one contact: a score, or when the last event of some names came.
 *
 * One contact may have a million events, and a step asks in an open write, while everybody else waits. So only some
 * thousand of them are read at once. If there are more, `LongRead` is thrown; whoever asked reads on outside the write,
 * a piece in each turn of the event loop, and asks again. The sum is kept with the place in the log that it
 * reaches to, so the next one to ask reads what came after it.
 *
 * A kept sum stays right: the log only grows, row numbers are never used again, and only what was committed is in it.
 */
import type { Database } from "bun:sqlite";
import { putLast } from "#core/remembered.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { events } from "#storage/sqlite/schema/schema.ts";
import { RECENT_EVENTS, type RecentEvents } from "./recent-events.ts";

/** How many events are read in one piece. */
const PIECE = 2_000;
/** Only of contacts with more events than that. */
const KEPT_MAX = 100;

/** Some events of a contact: of the index, those after `after` and up to `upTo`; then these of the log. */
export type EventPiece = {
  readonly contact: number;
  readonly after: number;
  readonly upTo: number;
  readonly recent: string;
};

/** The events of an `EventPiece`, in a statement that gets its members. */
export const EVENTS_OF_PIECE = `(
    SELECT i.seq, i.name, i.value_cents FROM contact_events AS i
    WHERE i.contact = $contact AND i.seq > $after AND i.seq <= $upTo
    UNION ALL
    SELECT e.seq, e.name, e.value_cents FROM ${RECENT_EVENTS} WHERE e.contact = $contact AND e.seq > $upTo)`;

/** `key` says what is summed up; `add` returns a new sum. */
export type Summing<T> = {
  readonly key: string;
  readonly nothing: T;
  add(sum: T, piece: EventPiece): T;
};

type Sum<T> = { readonly at: number; readonly sum: T };

/** More has to be read than an open write may. `readOn` reads a piece, outside of one; false: the rest is short. */
export class LongRead extends Error {
  constructor(readonly readOn: () => boolean) {
    super("Fault in Postrider: many events were asked for where nobody reads on.");
  }
}

export class EventSums {
  readonly #kept = new Map<string, Sum<unknown>>();
  readonly #end;

  constructor(
    sqlite: Database,
    private readonly recent: RecentEvents,
  ) {
    this.#end = sqlite.query<Row<typeof events, "seq">, [number, number, number, number]>(
      "SELECT seq FROM contact_events WHERE contact = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT 1 OFFSET ?",
    );
  }

  /** @throws LongRead */
  of<T>(contact: number, summing: Summing<T>): T {
    const key = `${contact} ${summing.key}`;
    let known = this.#known<T>(key) ?? { at: 0, sum: summing.nothing };
    const { piece, end } = this.#pieceAfter(contact, known.at);
    if (end === null) return summing.add(known.sum, piece);
    throw new LongRead(() => {
      const next = this.#pieceAfter(contact, known.at);
      if (next.end === null) return false;
      known = { at: next.end, sum: summing.add(known.sum, next.piece) };
      putLast(this.#kept, key, known, KEPT_MAX);
      return true;
    });
  }

  #known<T>(key: string): Sum<T> | undefined {
    const known = this.#kept.get(key) as Sum<T> | undefined;
    if (known !== undefined) putLast(this.#kept, key, known, KEPT_MAX);
    return known;
  }

  /** @returns `end`: where the piece ends, if there is more behind it */
  #pieceAfter(contact: number, after: number): { readonly piece: EventPiece; readonly end: number | null } {
    const { through } = this.recent;
    const end = after < through ? (this.#end.get(contact, after, through, PIECE)?.seq ?? null) : null;
    if (end !== null) return { piece: { contact, after, upTo: end, recent: "[]" }, end };
    const upTo = Math.max(after, through);
    const { committed, open } = this.recent.after(contact, upTo);
    // Very many open ones are read when they were committed.
    const isShort = committed.length <= PIECE && open.length <= PIECE;
    const some = isShort ? [...committed, ...open] : committed.slice(0, PIECE);
    const piece = { contact, after, upTo, recent: JSON.stringify(some) };
    return { piece, end: isShort ? null : (some.at(-1) ?? upTo) };
  }
}

/** Makes a long read. Not in an open write. */
export async function readToEnd({ readOn }: LongRead): Promise<void> {
  while (readOn()) await nextLoopTurn();
}

/** What `ask` returns, after the long reads that it needs. Not in an open write. */
export async function afterLongReads<T>(ask: () => T): Promise<T> {
  for (;;)
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof LongRead)) throw error;
      await readToEnd(error);
    }
}
