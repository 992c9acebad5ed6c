import type { Instant } from "#core/clock.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import type { LedgerStore, RetryPosition, Wanted } from "#deliveries/store.ts";

const FIRST: RetryPosition = { at: 0, number: 0 };

/** Reads the owed rows of a mailing from front to back, each once: deferred ones that are due, and new ones. */
export class OwedReader {
  #fresh = 0;
  #retries = FIRST;

  constructor(
    private readonly mailing: number,
    private readonly ledger: Pick<LedgerStore, "nextOwed" | "dueRetries" | "people">,
    /** Whether the rows come with their contacts. */
    private readonly needsPeople: boolean,
  ) {}

  /**
   * Rows that are not known yet. `isEnd`: there is nothing more now. Where the ledger cannot be read, nothing of this
   * has happened.
   */
  async read(
    now: Instant,
    wanted: Wanted,
    known: ReadonlySet<number>,
  ): Promise<{ messages: readonly OwedMessage[]; isEnd: boolean }> {
    const { mailing, ledger } = this;
    const retries = await ledger.dueRetries(mailing, this.#retries, now, wanted);
    const fresh = await ledger.nextOwed(mailing, this.#fresh, now, wanted);
    const found = [...retries.messages, ...fresh.messages].filter(({ number }) => !known.has(number));
    const messages = this.needsPeople ? await this.#withPeople(found) : found;
    this.#retries = retries.through;
    this.#fresh = fresh.through;
    return { messages, isEnd: retries.isEnd && fresh.isEnd };
  }

  async #withPeople(found: readonly OwedMessage[]): Promise<OwedMessage[]> {
    const people = await this.ledger.people(found.map(({ number }) => number));
    return found.map((message) => {
      const person = people.get(message.number);
      return person === undefined ? message : { ...message, person };
    });
  }

  /** Another reader that goes on from here. */
  copy(): OwedReader {
    const copy = new OwedReader(this.mailing, this.ledger, this.needsPeople);
    copy.#fresh = this.#fresh;
    copy.#retries = this.#retries;
    return copy;
  }

  /** Begins anew with what is deferred, or with everything. */
  again(what: "deferred" | "everything"): void {
    this.#retries = FIRST;
    if (what === "everything") this.#fresh = 0;
  }
}
