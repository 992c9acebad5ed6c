import type { Instant } from "#core/time/clock.ts";
import { FRONT } from "#deliveries/ledger.ts";
import type { LedgerStore, OwedStretch, Wanted } from "#deliveries/store.ts";

/** Reads the owed rows of a mailing from front to back, each once: deferred ones that are due, and new ones. */
export class OwedReader {
  #reached = FRONT;

  constructor(
    private readonly mailing: number,
    private readonly ledger: Pick<LedgerStore, "owed">,
  ) {}

  /** The next rows. Where the ledger cannot be read, the next call reads them. */
  async read(now: Instant, wanted: Wanted): Promise<OwedStretch> {
    const read = await this.ledger.owed(this.mailing, this.#reached, now, wanted);
    this.#reached = read.through;
    return read;
  }

  /** Another reader that goes on from here. */
  copy(): OwedReader {
    const copy = new OwedReader(this.mailing, this.ledger);
    copy.#reached = this.#reached;
    return copy;
  }

  /** Begins anew with what is deferred, or with everything. */
  again(what: "deferred" | "everything"): void {
    this.#reached = what === "everything" ? FRONT : { ...this.#reached, retries: FRONT.retries };
  }
}
