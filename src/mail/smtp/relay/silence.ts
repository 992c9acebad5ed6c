import type { Clock, Instant } from "#core/time/clock.ts";
import { HOUR_MS } from "#core/time/time.ts";

/** The limits of a conversation are long, ten minutes at the dot. A person, and the next relay, are told sooner. */
const SILENT_AFTER_MS = 60_000;

/** Two answers within this time that took longer than that are a relay's way. */
const SLOW_FOR_MS = HOUR_MS;

/**
 * Whether a relay still answers campaigns. It is silent if some of their messages wait for its answer, and none of them
 * got one for a minute. A message that waits for our own database does not count.
 *
 * Some relays need longer than that for every message, and over one or two connections no other answer comes
 * meanwhile. The next relay is used all the same. But if this is the relay's way, people are told only after double its
 * usual time.
 */
export class Silence {
  #waiting = 0;
  /** When the relay was asked, or when it answered last. */
  #sinceMs = 0;
  /** How many messages were given up since then. */
  #givenUp = 0;
  /** The last two answers that came after a silence: when, and how long it had lasted. */
  #late: readonly { readonly atMs: number; readonly lastedMs: number }[] = [];

  constructor(private readonly clock: Clock) {}

  /** A message waits for the relay. */
  asked(): void {
    if (this.#waiting++ === 0) this.#begin();
  }

  /** It waits no longer: the relay answered, or the connection ended without an answer. */
  ended(isAnswer: boolean): void {
    this.#waiting--;
    if (!isAnswer) return;
    if (this.#hasLasted)
      this.#late = [...this.#late.slice(-1), { atMs: this.clock.monotonicMs(), lastedMs: this.#lastedMs }];
    this.#begin();
  }

  /** A message lost its connection. True: the relay was silent, and it is not one message that no relay answers. */
  isProvenByLoss(): boolean {
    return ++this.#givenUp > 1 && this.#hasLasted;
  }

  get isSilent(): boolean {
    return this.#waiting > 0 && this.#hasLasted;
  }

  /** In words, for logs and reports; null: it is not silent, or not for longer than usual. */
  get words(): string | null {
    const isUnusual = this.#waiting > 0 && this.#lastedMs >= this.#unusualMs;
    return isUnusual ? `it has not answered for ${Math.floor(this.#lastedMs / 1_000)} seconds` : null;
  }

  /**
   * When it may begin, or become unusual, if the relay does not answer before; null: it did, or nothing waits for the
   * relay.
   */
  get mayBeginAt(): Instant | null {
    const leftMs = [SILENT_AFTER_MS, this.#unusualMs].map((ms) => ms - this.#lastedMs).find((ms) => ms > 0);
    return this.#waiting > 0 && leftMs !== undefined ? this.clock.now() + leftMs : null;
  }

  get #unusualMs(): number {
    const knownMs = this.clock.monotonicMs() - SLOW_FOR_MS;
    const [first, second] = this.#late.filter(({ atMs }) => atMs >= knownMs);
    if (first === undefined || second === undefined) return SILENT_AFTER_MS;
    return 2 * Math.min(first.lastedMs, second.lastedMs);
  }

  #begin(): void {
    this.#sinceMs = this.clock.monotonicMs();
    this.#givenUp = 0;
  }

  get #hasLasted(): boolean {
    return this.#lastedMs >= SILENT_AFTER_MS;
  }

  get #lastedMs(): number {
    return this.clock.monotonicMs() - this.#sinceMs;
  }
}
