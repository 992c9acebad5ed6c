import type { DueDelivery, Endpoint } from "#webhooks/endpoint.ts";

/** Requests to one endpoint at a time, if it answers quickly. */
const WINDOW_MAX = 10;
const WINDOW_MIN = 2;
/** Endpoints that answer more slowly get fewer requests at a time, so that they do not use up all requests. */
const QUICK_MS = 2_000;

/** One endpoint while it has messages due: those that were read, and how many may be in progress. */
export class Lane {
  readonly #underWay = new Set<number>();
  #ready: DueDelivery[] = [];
  #window = WINDOW_MIN;
  #isDrained = false;
  #version = 0;

  constructor(
    public endpoint: Endpoint,
    public allowPrivate: boolean,
  ) {}

  /** The endpoint was read again and has messages due. */
  renew(endpoint: Endpoint, allowPrivate: boolean): void {
    this.endpoint = endpoint;
    this.allowPrivate = allowPrivate;
    this.#isDrained = false;
  }

  /** How many more requests may begin. */
  get room(): number {
    const { failures } = this.endpoint.health;
    return (failures > 0 ? 1 : this.#window) - this.#underWay.size;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Whether more messages should be read: all that were read are done, and there may be more. */
  get needsMore(): boolean {
    return this.#ready.length === 0 && !this.#isDrained;
  }

  get hasNext(): boolean {
    return this.#ready.length > 0;
  }

  get underWay(): ReadonlySet<number> {
    return this.#underWay;
  }

  /** Adds messages that are due; none of them is in progress. */
  take(due: readonly DueDelivery[]): void {
    this.#ready = [...due];
    this.#isDrained = due.length === 0;
  }

  /** Drops the messages that were read, and those that are being read: they may have changed. */
  empty(): void {
    this.take([]);
    this.#version++;
  }

  /** Changes with each `empty`. */
  get version(): number {
    return this.#version;
  }

  begin(): DueDelivery | null {
    const next = this.#ready.shift() ?? null;
    if (next !== null) this.#underWay.add(next.number);
    return next;
  }

  end(number: number, isDelivered: boolean, durationMs: number): void {
    this.#underWay.delete(number);
    if (!isDelivered) this.#window = WINDOW_MIN;
    else if (durationMs > QUICK_MS) this.#window = Math.max(WINDOW_MIN, this.#window - 1);
    else this.#window = Math.min(WINDOW_MAX, this.#window + 1);
  }
}
