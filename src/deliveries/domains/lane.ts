import type { Instant } from "#core/time/clock.ts";
import type { DomainLimit } from "#workspaces/domain-limits.ts";
import { countOne, minuteOf, roomAt, sentInHour, type HourCount } from "./hour-count.ts";
import { onComplaint, onTaken, paceOf, type Slowing } from "./slowing.ts";

/** Whether a message may start now. `until`: when to ask again; null: when a message under way has ended. */
type Opening = { readonly isOpen: true } | { readonly isOpen: false; readonly until: Instant | null };

/** How many messages went out in the hour before a minute. `roomAt`: when the limit allows more; null: now. */
type Hour = {
  readonly count: HourCount;
  readonly minute: Instant;
  readonly perHour: number;
  readonly sent: number;
  readonly roomAt: Instant | null;
};

const OPEN: Opening = { isOpen: true };

/** The domains of one provider that are limited, or slowed down, for one workspace. */
export class Lane {
  /** Messages that were taken and are not finished. */
  #inFlight = 0;
  limit: DomainLimit | null = null;
  #slowing: Slowing | null = null;
  #nextStartAt: Instant = 0;
  #hour: Hour | null = null;

  constructor(
    readonly domains: readonly string[],
    private count: HourCount = [],
  ) {}

  get slowing(): Slowing | null {
    return this.#slowing;
  }

  /** Whether these domains are neither limited nor slowed down. */
  get isFree(): boolean {
    return this.limit === null && this.#slowing === null;
  }

  opening(now: Instant): Opening {
    const pace = this.#slowing === null ? null : paceOf(this.#slowing, now);
    if (pace !== null && pace.heldUntil !== null) return { isOpen: false, until: pace.heldUntil };
    const waitMs = this.#nextStartAt - now;
    // A wait longer than the spacing means the clock was set back, and is ignored.
    if (pace !== null && waitMs > 0 && waitMs <= pace.spacingMs)
      return { isOpen: false, until: this.#nextStartAt };
    const connections = Math.min(pace?.connections ?? Infinity, this.limit?.connections ?? Infinity);
    if (this.#inFlight >= connections) return { isOpen: false, until: null };
    const perHour = this.limit?.perHour ?? null;
    if (perHour === null) return OPEN;
    const { sent, roomAt: until } = this.#hourOf(perHour, now);
    // Messages under way may still count for this hour. When one ends without counting, that wakes the sender.
    return sent + this.#inFlight < perHour ? OPEN : { isOpen: false, until };
  }

  /** Kept, because each message asks several times. Only a counted message, a new minute or limit changes it. */
  #hourOf(perHour: number, now: Instant): Hour {
    const minute = minuteOf(now);
    const { count } = this;
    const isKnown =
      this.#hour?.count === count && this.#hour.minute === minute && this.#hour.perHour === perHour;
    if (isKnown && this.#hour !== null) return this.#hour;
    const hour = {
      count,
      minute,
      perHour,
      sent: sentInHour(count, now),
      roomAt: roomAt(count, perHour, now),
    };
    this.#hour = hour;
    return hour;
  }

  /** A message of it is on its way. */
  taken(now: Instant): void {
    this.#inFlight++;
    if (this.#slowing !== null) this.#nextStartAt = now + paceOf(this.#slowing, now).spacingMs;
  }

  /** A message that was taken is finished. */
  ended(): void {
    this.#inFlight--;
  }

  /** Whether its messages are counted. They are also counted while nothing is held back. */
  get isCounted(): boolean {
    return this.limit !== null && this.limit.perHour !== null;
  }

  recount(count: HourCount): void {
    this.count = count;
  }

  counted(now: Instant): void {
    this.count = countOne(this.count, now);
  }

  /** Returns true if the lane was not slowed down before. */
  complained(complaint: Parameters<typeof onComplaint>[1]): boolean {
    const isNew = this.#slowing === null;
    this.#slowing = onComplaint(this.#slowing, complaint);
    return isNew;
  }

  /** Returns true if this ends the slowing down. */
  accepted(now: Instant): boolean {
    if (this.#slowing === null) return false;
    this.#slowing = onTaken(this.#slowing, now);
    return this.#slowing === null;
  }

  /** Keeps the slowing of another lane that had some of the same domains. */
  takeOver({ slowing }: Lane): void {
    this.#slowing ??= slowing;
  }

  /** Why its mail waits, in words for a report. */
  waitsFor(now: Instant): string {
    const names = namesOf(this.domains);
    const isSlowed = this.#slowing !== null && paceOf(this.#slowing, now).heldUntil !== null;
    if (isSlowed || this.limit === null) return `${names} (says that our mail comes too fast)`;
    const { perHour } = this.limit;
    if (perHour !== null && this.#hourOf(perHour, now).sent >= perHour)
      return `${names} (${perHour.toLocaleString("en-US")} messages an hour)`;
    return `${names} (its connections are in use)`;
  }
}

/** Names the first domain for all of them. */
const namesOf = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
