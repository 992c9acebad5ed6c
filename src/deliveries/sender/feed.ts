import { present } from "#core/present.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import type { Lane } from "#deliveries/domains/lane.ts";
import type { Lanes } from "#deliveries/domains/lanes.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import { urgencyOf } from "#deliveries/mail-kind.ts";
import type { LedgerStore, MailingUnderWay, Wanted } from "#deliveries/store.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";
import { OwedReader } from "./owed-reader.ts";
import { Shelves } from "./shelves.ts";

/**
 * How many rows are fetched at a time (docs/contract.md "Send rules"). Rows are never claimed in such
 * batches.
 */
const BATCH = 100;

/** So many rows may have been put back before the first of them is tried again. */
const PUT_BACK_MAX = 1_000;

/**
 * How long a message waits after the relay refused it because we are too fast: after the first time, and after each
 * further one.
 */
const ASIDE_MS = [1, 2, 4, 8, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);

/**
 * The owed rows of one mailing, in plan order. It skips rows whose domain may get nothing now. Only a few rows are
 * in memory at a time, so that memory does not grow with the audience. Every row that was taken is later either
 * settled in the ledger or put back.
 */
export class Feed {
  /** Rows that were taken and have not finished. */
  inFlight = 0;
  readonly urgency: Urgency;
  readonly #waiting: OwedMessage[] = [];
  #aside: { readonly message: OwedMessage; readonly until: number }[] = [];
  readonly #timesAside = new Map<number, number>();
  readonly #known = new Set<number>();
  /** Those of the waiting rows that were put back, and not taken since. */
  readonly #putBack = new Set<number>();
  readonly #taken = new Map<number, Lane>();
  readonly #shelves = new Shelves<OwedReader>((message) => this.#laneOf(message));
  readonly #reader: OwedReader;
  #exhausted = false;
  /** How often it was told to look again. */
  #looks = 0;
  #lanesAtChange = 0;

  constructor(
    readonly mailing: MailingUnderWay,
    /** The lanes of the mailing's workspace. */
    readonly lanes: Lanes,
    ledger: LedgerStore,
    private readonly clock: Clock,
    /** Whether the rows come with their contacts. */
    private readonly needsPeople = false,
  ) {
    this.urgency = urgencyOf[mailing.kind];
    this.#reader = new OwedReader(mailing.number, ledger);
    this.#lanesAtChange = lanes.changes;
  }

  /**
   * Reads some rows from the ledger if none in memory may go now; then ask `findNext`. `mayWait`: rows that may have to
   * wait for a relay. They do not count, so that others can go before them (`findBehind`). Returns whether it read.
   */
  async makeReady(mayWait: (message: OwedMessage) => boolean = () => false): Promise<boolean> {
    if (this.#aside.length > 0) this.#takeBack();
    const hasRefilled = !this.#shelves.isEmpty && (await this.#refillShelf());
    if (this.#exhausted || !this.#isWanting(mayWait)) return hasRefilled;
    await this.#refill();
    return true;
  }

  #isWanting(mayWait: (message: OwedMessage) => boolean): boolean {
    const waiting = this.#waiting;
    if (this.findNext() === null) return true;
    if (this.urgency !== "bulk" && waiting.every(mayWait)) return true;
    const hasRoom = waiting.length > 0 && waiting.length < PUT_BACK_MAX;
    return hasRoom && waiting.every(({ number }) => this.#putBack.has(number));
  }

  /** A row that could be taken now; rows before it whose domain may get nothing are passed. Does not read the ledger. */
  findNext(): OwedMessage | null {
    return this.#findQueue()?.[0] ?? null;
  }

  /** Urgent mail only: the first row that fits. It is not the next one to take until `bringForward`. */
  findBehind(fits: (message: OwedMessage) => boolean): OwedMessage | null {
    return this.urgency === "bulk" ? null : (this.#waiting.find(fits) ?? null);
  }

  /** A row that `findBehind` has found is the next one to take. */
  bringForward(message: OwedMessage): void {
    this.#waiting.splice(this.#waiting.indexOf(message), 1);
    this.#waiting.unshift(message);
  }

  /**
   * Whether the ledger has more rows. If no row in memory may go now, call `makeReady` again, after others had a turn.
   * Shelves that are done are dropped.
   */
  findMore(): boolean {
    if (!this.#exhausted) return true;
    return !this.#shelves.isEmpty && this.#shelves.findRefill(this.clock.now()) !== null;
  }

  /** When rows that wait for their domain may go, as far as only time decides it. */
  get opensAt(): Instant | null {
    return this.#shelves.isEmpty ? null : this.#shelves.opensAt(this.clock.now());
  }

  /** If nothing is under way and everything left waits for domains: those domains; otherwise empty. */
  get waitsFor(): readonly string[] {
    if (!this.isIdle) return [];
    const others = [...this.#waiting, ...this.#aside.map(({ message }) => message)];
    const lanes = new Set([
      ...this.#shelves.waitedFor,
      ...others.flatMap((message) => this.#laneOf(message) ?? []),
    ]);
    return [...lanes].map((lane) => lane.waitsFor(this.clock.now()));
  }

  /** The next row to send. Call it only if `findNext` finds one. */
  take(): OwedMessage {
    const message = present(this.#findQueue()?.shift(), "row to take");
    this.inFlight++;
    this.#putBack.delete(message.number);
    const lane = this.#laneOf(message);
    if (lane !== null) {
      lane.taken(this.clock.now());
      this.#taken.set(message.number, lane);
    }
    return message;
  }

  /** Whether the row counts for a limit of its domain. */
  isCounted(message: OwedMessage): boolean {
    return this.#laneOf(message)?.isCounted ?? false;
  }

  /** The message's dot is going out. */
  counted(message: OwedMessage): void {
    this.#laneOf(message)?.counted(this.clock.now());
  }

  /** The attempt is over, and the ledger has its outcome. */
  done(message: OwedMessage): void {
    this.#leave(message);
    this.#known.delete(message.number);
    this.#timesAside.delete(message.number);
  }

  /**
   * The message was not at fault. It goes behind the others, also those that were not read yet: another recipient shows
   * whether the relay takes mail again.
   */
  putBack(message: OwedMessage): void {
    this.#leave(message);
    this.#putBack.add(message.number);
    this.#waiting.push(message);
  }

  /**
   * The relay refused this message because we are too fast. The message stays owed but waits, longer each time: if
   * such a reply is only about this recipient, it must not slow everybody down again and again.
   */
  putAside(message: OwedMessage): void {
    const times = this.#timesAside.get(message.number) ?? 0;
    this.#timesAside.set(message.number, times + 1);
    this.#leave(message);
    const waitMs = present(ASIDE_MS[Math.min(times, ASIDE_MS.length - 1)], "pause");
    this.#aside.push({ message, until: this.clock.monotonicMs() + waitMs });
  }

  /** Reads the ledger again: time has passed, or something changed. */
  lookAgain(): void {
    this.#exhausted = false;
    this.#looks++;
    if (this.#lanesAtChange !== this.lanes.changes) return this.#beginAnew();
    if (!this.#shelves.isEmpty) return;
    // A row that was held back earlier (its automation was paused) may go now, although it is before the current
    // position.
    const isIdle = this.inFlight === 0 && this.#waiting.length === 0;
    this.#reader.again(isIdle && this.mailing.kind === "automation" ? "everything" : "deferred");
  }

  /** Nothing is on its way, and nothing could be started now. It only looks: who asks must not change the order. */
  get isIdle(): boolean {
    if (this.inFlight > 0 || !this.#exhausted) return false;
    const waiting = this.#waiting;
    const shelves = this.#shelves;
    if (this.#isSimple) return waiting.length === 0;
    const now = this.clock.now();
    const isOpen = (message: OwedMessage): boolean => this.#laneOf(message)?.opening(now).isOpen ?? true;
    return !shelves.hasOpen(now) && !waiting.some(isOpen) && !shelves.hasRefill(now);
  }

  /** The limits changed: every row may have another lane. Rows that are on shelves are read again. */
  #beginAnew(): void {
    this.#lanesAtChange = this.lanes.changes;
    for (const { number } of this.#shelves.clear()) this.#known.delete(number);
    this.#reader.again("everything");
  }

  /** No row is passed. Mail that a person waits for is never held back for its domain. */
  get #isSimple(): boolean {
    return this.urgency !== "bulk" || (this.lanes.isEmpty && this.#shelves.isEmpty);
  }

  /** The queue whose first row may go now. Rows before it are put on shelves. */
  #findQueue(): OwedMessage[] | null {
    const waiting = this.#waiting;
    const shelves = this.#shelves;
    if (this.#isSimple) return waiting.length > 0 ? waiting : null;
    return shelves.findQueue(waiting, this.clock.now(), () => this.#reader.copy());
  }

  #laneOf({ address }: OwedMessage): Lane | null {
    return this.lanes.isEmpty ? null : this.lanes.of(domainOf(address));
  }

  #leave({ number }: OwedMessage): void {
    this.inFlight--;
    const lane = this.#taken.get(number);
    if (lane === undefined) return;
    lane.ended();
    this.#taken.delete(number);
  }

  #takeBack(): void {
    const now = this.clock.monotonicMs();
    for (const { message, until } of this.#aside) if (until <= now) this.#waiting.push(message);
    this.#aside = this.#aside.filter(({ until }) => until > now);
  }

  async #refill(): Promise<void> {
    const domains = this.#shelves.leftOut();
    const looks = this.#looks;
    const { messages, isEnd } = await this.#reader.read(this.clock.now(), this.#wanted("all", domains));
    this.#keep(messages, this.#waiting);
    // Unless it was told to look again meanwhile: what it was told of may have come after the read.
    this.#exhausted = isEnd && messages.length === 0 && looks === this.#looks;
  }

  /** Reads rows of domains that were left out and may get mail again. False: there are none. */
  async #refillShelf(): Promise<boolean> {
    const now = this.clock.now();
    const shelf = this.#shelves.findRefill(now);
    if (shelf === null) return false;
    const { domains, reader, messages: kept } = shelf;
    const changes = this.#lanesAtChange;
    const { messages, isEnd } = await reader.read(now, this.#wanted("only", domains));
    // The limits were changed meanwhile: the shelf is gone, and the rows are read again.
    if (changes !== this.#lanesAtChange) return true;
    if (isEnd) this.#shelves.ended(reader);
    this.#keep(messages, kept);
    return true;
  }

  #wanted(who: Wanted["who"], domains: readonly string[]): Wanted {
    return { limit: BATCH, who, domains, except: this.#known, withPeople: this.needsPeople };
  }

  #keep(messages: readonly OwedMessage[], queue: OwedMessage[]): void {
    for (const { number } of messages) this.#known.add(number);
    const back = queue.findIndex(({ number }) => this.#putBack.has(number));
    queue.splice(back === -1 ? queue.length : back, 0, ...messages);
  }
}
