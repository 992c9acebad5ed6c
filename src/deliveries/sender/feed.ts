import type { Clock } from "#core/clock.ts";
import { MINUTE_MS } from "#core/time.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import type { LedgerStore, MailingUnderWay } from "#deliveries/store.ts";

/** How many rows are fetched at a time (docs/contract.md "Send rules"). It is never the unit of claiming. */
const BATCH = 100;

/** How long a message waits that the relay called too much, the first time and at every further one. */
const ASIDE_MS = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);

/**
 * The owed rows of one mailing, in plan order: a small window of them, so that memory does not grow with the audience.
 * A row handed out is either settled in the ledger or put back.
 */
export class Feed {
  /** Handed out and not finished. */
  inFlight = 0;
  private waiting: OwedMessage[] = [];
  private aside: { readonly message: OwedMessage; readonly until: number }[] = [];
  private readonly timesAside = new Map<number, number>();
  private readonly known = new Set<number>();
  private after = 0;
  private exhausted = false;

  constructor(
    readonly mailing: MailingUnderWay,
    private readonly ledger: LedgerStore,
    private readonly clock: Clock,
  ) {}

  /** Whether a row is due now; looks into the ledger where the window is empty. */
  async isReady(): Promise<boolean> {
    if (this.aside.length > 0) this.takeBack();
    if (this.waiting.length === 0 && !this.exhausted) await this.refill();
    return this.waiting.length > 0;
  }

  /** A row that could be taken now, without a look into the ledger. */
  get next(): OwedMessage | null {
    return this.waiting[0] ?? null;
  }

  /** The next row to send. Only after `isReady` said so. */
  take(): OwedMessage {
    this.inFlight++;
    return this.waiting.shift()!;
  }

  /** The attempt is over, and the ledger knows how it ended. */
  done(message: OwedMessage): void {
    this.inFlight--;
    this.known.delete(message.number);
    this.timesAside.delete(message.number);
  }

  /** It was not the message's doing. It waits behind the others: another recipient shows whether the relay takes mail again. */
  putBack(message: OwedMessage): void {
    this.inFlight--;
    this.waiting.push(message);
  }

  /**
   * The relay said of this message that we are too fast. It is owed as before, but has its next turn later, and each time
   * later still: where such a reply is about this recipient alone, it must not slow everybody down again and again.
   */
  putAside(message: OwedMessage): void {
    const times = this.timesAside.get(message.number) ?? 0;
    this.timesAside.set(message.number, times + 1);
    this.inFlight--;
    const waitMs = ASIDE_MS[Math.min(times, ASIDE_MS.length - 1)]!;
    this.aside.push({ message, until: this.clock.monotonicMs() + waitMs });
  }

  /** Look into the ledger again: time has passed, or something changed. */
  lookAgain(): void {
    this.exhausted = false;
    // A row that was held back when its turn came (its automation was paused), and may go now, lies behind.
    const isIdle = this.inFlight === 0 && this.waiting.length === 0;
    if (isIdle && this.mailing.kind === "automation") this.after = 0;
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.waiting.length === 0 && this.exhausted;
  }

  private takeBack(): void {
    const now = this.clock.monotonicMs();
    for (const { message, until } of this.aside) if (until <= now) this.waiting.push(message);
    this.aside = this.aside.filter(({ until }) => until > now);
  }

  private async refill(): Promise<void> {
    const now = this.clock.now();
    const retries = await this.ledger.dueRetries(this.mailing.number, now, BATCH);
    const fresh = await this.ledger.nextOwed(this.mailing.number, this.after, now, BATCH);
    this.after = fresh.at(-1)?.number ?? this.after;
    for (const message of [...retries, ...fresh]) {
      if (this.known.has(message.number)) continue;
      this.known.add(message.number);
      this.waiting.push(message);
    }
    this.exhausted = this.waiting.length === 0;
  }
}
