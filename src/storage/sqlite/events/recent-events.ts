import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { eventIndex, events } from "#storage/sqlite/schema/schema.ts";

/** The events of `RecentEvents.of`, which a statement gets as `$recent`, with the alias `e`. */
export const RECENT_EVENTS = "json_each($recent) CROSS JOIN events AS e ON e.seq = json_each.value";

/**
 * Where the latest events of each contact are in the log.
 *
 * Recording an event only appends to the log. An index by contact is expensive: each event touches another page of
 * it. So that index is written later, for many events at a time, in its own order (event-index.ts). The events that
 * it does not have yet are remembered here. They are read from the log on demand, so nothing is lost if this memory
 * is.
 */
export class RecentEvents {
  readonly #byContact = new Map<number, number[]>();
  /** How far the log was read; null before the first read. */
  #seen: number | null = null;
  #size = 0;
  readonly #through;
  readonly #next;
  readonly #unread;

  constructor(private readonly sqlite: Database) {
    this.#through = sqlite.query<Row<typeof eventIndex, "through">, []>(
      "SELECT through FROM event_index WHERE only = 1",
    );
    this.#next = sqlite.query<Row<typeof events, "seq" | "contact">, [number, number]>(
      "SELECT seq, contact FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
    );
    this.#unread = sqlite.query<Row<typeof events, "seq">, [number, number]>(
      "SELECT seq FROM events WHERE seq > ? AND contact = ? ORDER BY seq",
    );
  }

  /** How many events are remembered. */
  get size(): number {
    return this.#size;
  }

  /** The log is indexed up to here. Beyond this the index is not complete. */
  get through(): number {
    return present(this.#through.get(), "position of the event index").through;
  }

  /** How far the log was read. */
  get seen(): number {
    return (this.#seen ??= this.through);
  }

  /** Reads on in the log, at most this many rows. @returns how many there were */
  readOn(rowsMax = -1): number {
    const rows = this.#next.all(this.seen, rowsMax);
    for (const { seq, contact } of rows) {
      const known = this.#byContact.get(contact);
      if (known === undefined) this.#byContact.set(contact, [seq]);
      else known.push(seq);
    }
    this.#seen = rows.at(-1)?.seq ?? this.seen;
    this.#size += rows.length;
    return rows.length;
  }

  /**
   * Every event of a contact that may not be indexed yet, as JSON for a statement. Some may be indexed or deleted
   * by now: the statement must check. Inside a transaction the end of the log may still be undone, so it is read
   * but not remembered.
   */
  of(contact: number): string {
    const { committed, open } = this.after(contact, 0);
    return JSON.stringify([...committed, ...open]);
  }

  /** The same, behind a place in the log. Those in `open` may still be undone. */
  after(
    contact: number,
    seq: number,
  ): { readonly committed: readonly number[]; readonly open: readonly number[] } {
    if (!this.sqlite.inTransaction) this.readOn();
    const known = this.#byContact.get(contact) ?? [];
    const committed = known.slice(firstAfter(known, seq));
    if (!this.sqlite.inTransaction) return { committed, open: [] };
    const unread = this.#unread.all(Math.max(this.seen, seq), contact);
    return { committed, open: unread.map((event) => event.seq) };
  }

  /** All remembered events up to `through`, in the order of the index by contact, `size` at a time. */
  *inContactOrder(through: number, size: number): Generator<number[]> {
    let piece: number[] = [];
    for (const contact of [...this.#byContact.keys()].toSorted((a, b) => a - b))
      for (const seq of this.#byContact.get(contact) ?? []) {
        if (seq > through) break;
        piece.push(seq);
        if (piece.length < size) continue;
        yield piece;
        piece = [];
      }
    if (piece.length > 0) yield piece;
  }

  /** Forgets the events that are indexed. */
  forget(through: number): void {
    this.#size = 0;
    for (const [contact, seqs] of this.#byContact) {
      const left = seqs.filter((seq) => seq > through);
      if (left.length === 0) this.#byContact.delete(contact);
      else this.#byContact.set(contact, left);
      this.#size += left.length;
    }
  }
}

/** The index of the first of these numbers, in their order, that is larger. */
function firstAfter(numbers: readonly number[], than: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (present(numbers[middle], "number") > than) high = middle;
    else low = middle + 1;
  }
  return low;
}
