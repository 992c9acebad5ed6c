import type { Instant } from "#core/time/clock.ts";
import type { Lane } from "#deliveries/domains/lane.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";

/** When this many messages are on a shelf, the feed reads no more of them. */
const FULL = 100;

/** The messages, and a `reader` for the rows of the same domains behind them. */
type Shelf<Reader> = { readonly messages: OwedMessage[]; reader: Reader | null };

/** A shelf that needs more messages, and the reader that has them. */
type Refilling<Reader> = {
  readonly domains: readonly string[];
  readonly messages: OwedMessage[];
  readonly reader: Reader;
};

/**
 * Keeps the messages whose lane is closed, so that a feed can pass them.
 *
 *   open, no shelf --its lane is closed--> shelf --full--> shelf with a reader --read to the end--> shelf --> none
 *
 * While a shelf has a reader, the feed leaves its domains out, so that few rows are in memory. The reader reads
 * each row of the mailing at most once.
 */
export class Shelves<Reader> {
  readonly #shelves = new Map<Lane, Shelf<Reader>>();

  constructor(private readonly laneOf: (message: OwedMessage) => Lane | null) {}

  get isEmpty(): boolean {
    return this.#shelves.size === 0;
  }

  /** Whether a message on a shelf may go now. */
  hasOpen(now: Instant): boolean {
    return [...this.#shelves].some(([lane, { messages }]) => messages.length > 0 && lane.opening(now).isOpen);
  }

  /** Whether an empty shelf has more to read now: `findRefill` would find one. */
  hasRefill(now: Instant): boolean {
    return [...this.#shelves].some(
      ([lane, { messages, reader }]) => messages.length === 0 && reader !== null && lane.opening(now).isOpen,
    );
  }

  /**
   * The queue whose first message may go now; null if there is none. Messages at the front of `waiting` that may not
   * go are put on shelves. `newReader` continues where the feed has read to.
   */
  findQueue(waiting: OwedMessage[], now: Instant, newReader: () => Reader): OwedMessage[] | null {
    for (const [lane, shelf] of this.#shelves) {
      if (shelf.messages.length > 0 && lane.opening(now).isOpen) return shelf.messages;
    }
    for (;;) {
      const [first] = waiting;
      if (first === undefined) return null;
      const lane = this.laneOf(first);
      if (lane === null || lane.opening(now).isOpen) return waiting;
      waiting.shift();
      const shelf = this.#shelves.get(lane) ?? { messages: [], reader: null };
      this.#shelves.set(lane, shelf);
      if (shelf.messages.push(first) >= FULL) shelf.reader ??= newReader();
    }
  }

  /** An empty shelf whose lane is open and that has more to read. Empty shelves before it with nothing to read go. */
  findRefill(now: Instant): Refilling<Reader> | null {
    for (const [lane, { messages, reader }] of this.#shelves) {
      if (messages.length > 0) continue;
      if (reader === null) this.#shelves.delete(lane);
      else if (lane.opening(now).isOpen) return { domains: lane.domains, messages, reader };
    }
    return null;
  }

  /** The reader has reached the end. */
  ended(reader: Reader): void {
    for (const shelf of this.#shelves.values()) if (shelf.reader === reader) shelf.reader = null;
  }

  /** The domains that the feed leaves out. */
  leftOut(): string[] {
    return [...this.#shelves].flatMap(([{ domains }, { reader }]) => (reader === null ? [] : domains));
  }

  /** When a lane that messages wait for opens by itself; null: none does. */
  opensAt(now: Instant): Instant | null {
    const times = this.waitedFor.flatMap((lane) => {
      const opening = lane.opening(now);
      return opening.isOpen || opening.until === null ? [] : [opening.until];
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The lanes that messages wait for. */
  get waitedFor(): Lane[] {
    return [...this.#shelves].flatMap(([lane, { messages, reader }]) =>
      messages.length > 0 || reader !== null ? [lane] : [],
    );
  }

  /** Empties all shelves and returns their messages. */
  clear(): OwedMessage[] {
    const messages = [...this.#shelves.values()].flatMap((shelf) => shelf.messages);
    this.#shelves.clear();
    return messages;
  }
}
