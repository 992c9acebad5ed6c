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

  /** The next rows. If the ledger cannot be read, the next call tries the same rows again. */
  async read(now: Instant, wanted: Wanted): Promise<OwedStretch> {
    const from = this.#reached;
    const read = await this.ledger.owed(this.mailing, from, now, wanted);
    // Unless it was told to start again meanwhile.
    if (this.#reached === from) this.#reached = read.through;
    return read;
  }

  /** Another reader that continues from here. */
  copy(): OwedReader {
    const copy = new OwedReader(this.mailing, this.ledger);
    copy.#reached = this.#reached;
    return copy;
  }

  /** Starts again with the deferred rows, or with all rows. */
  again(what: "deferred" | "everything"): void {
    this.#reached = what === "everything" ? { ...FRONT } : { ...this.#reached, retries: FRONT.retries };
  }
}
