import { present } from "#core/present.ts";
import type { Clock } from "#core/clock.ts";
import { MINUTE_MS } from "#core/time.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import { urgencyOf } from "#deliveries/mail-kind.ts";
import type { LedgerStore, MailingUnderWay } from "#deliveries/store.ts";
import type { Urgency } from "#mail/smtp/urgency.ts";

/**
 * How many rows are fetched at a time (docs/contract.md "Send rules"). Rows are never claimed in such
 * batches.
 */
const BATCH = 100;

/**
 * How long a message waits for which the relay said that we are too fast: after the first time, and after
 * each further one.
 */
const ASIDE_MS = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);

/**
 * The owed rows of one mailing, in plan order. Only a few are in memory at a time, so that memory does not
 * grow with the audience. Every row that was taken is later either settled in the ledger or put back.
 */
export class Feed {
  /** Rows that were taken and are not finished. */
  inFlight = 0;
  readonly urgency: Urgency;
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
    /** Whether the rows come with their contacts. */
    private readonly needsPeople = false,
  ) {
    this.urgency = urgencyOf[mailing.kind];
  }

  /** Whether a row is due now. Reads the ledger when no row is in memory. */
  async isReady(): Promise<boolean> {
    if (this.aside.length > 0) this.takeBack();
    if (this.waiting.length === 0 && !this.exhausted) await this.refill();
    return this.waiting.length > 0;
  }

  /** A row that could be taken now; does not read the ledger. */
  get next(): OwedMessage | null {
    return this.waiting[0] ?? null;
  }

  /** The next row to send. Call it only after `isReady` returned true. */
  take(): OwedMessage {
    this.inFlight++;
    return present(this.waiting.shift(), "row to take");
  }

  /** The attempt is over, and the ledger knows how it ended. */
  done(message: OwedMessage): void {
    this.inFlight--;
    this.known.delete(message.number);
    this.timesAside.delete(message.number);
  }

  /**
   * The message was not at fault. It waits behind the others: another recipient shows whether the relay takes
   * mail again.
   */
  putBack(message: OwedMessage): void {
    this.inFlight--;
    this.waiting.push(message);
  }

  /**
   * The relay said for this message that we are too fast. The message is still owed but waits, longer each
   * time: where such a reply concerns this recipient alone, it must not slow everybody down again and again.
   */
  putAside(message: OwedMessage): void {
    const times = this.timesAside.get(message.number) ?? 0;
    this.timesAside.set(message.number, times + 1);
    this.inFlight--;
    const waitMs = present(ASIDE_MS[Math.min(times, ASIDE_MS.length - 1)], "pause");
    this.aside.push({ message, until: this.clock.monotonicMs() + waitMs });
  }

  /** Read the ledger again: time has passed, or something changed. */
  lookAgain(): void {
    this.exhausted = false;
    // A row that was held back earlier (its automation was paused) and may go now lies behind the current
    // position.
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

  /** Where the ledger cannot be read, nothing of this has happened. */
  private async refill(): Promise<void> {
    const { ledger, mailing } = this;
    const now = this.clock.now();
    const retries = await ledger.dueRetries(mailing.number, now, BATCH);
    const fresh = await ledger.nextOwed(mailing.number, this.after, now, BATCH);
    const found = [...retries, ...fresh].filter(({ number }) => !this.known.has(number));
    const people = this.needsPeople ? await ledger.people(found.map(({ number }) => number)) : null;
    this.after = fresh.at(-1)?.number ?? this.after;
    for (const message of found) {
      const person = people?.get(message.number);
      this.known.add(message.number);
      this.waiting.push(person === undefined ? message : { ...message, person });
    }
    this.exhausted = this.waiting.length === 0;
  }
}
