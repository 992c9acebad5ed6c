import type { Clock, Instant } from "#core/time/clock.ts";

/** The limits of a conversation are long, ten minutes at the dot. A person, and the next relay, are told sooner. */
const SILENT_AFTER_MS = 60_000;

/**
 * Whether a relay still answers campaigns. It is silent if some of their messages wait for its answer, and none of them
 * got one for a minute. A message that waits for our own database does not count.
 */
export class Silence {
  #waiting = 0;
  /** When the relay was asked, or when it answered last. */
  #sinceMs = 0;
  /** How many messages were given up since then. */
  #givenUp = 0;

  constructor(private readonly clock: Clock) {}

  /** A message waits for the relay. */
  asked(): void {
    if (this.#waiting++ === 0) this.#begin();
  }

  /** It waits no longer: the relay answered, or the connection ended without an answer. */
  ended(isAnswer: boolean): void {
    this.#waiting--;
    if (isAnswer) this.#begin();
  }

  /** A message lost its connection. True: the relay was silent, and it is not one message that no relay answers. */
  isProvenByLoss(): boolean {
    return ++this.#givenUp > 1 && this.#hasLasted;
  }

  get isSilent(): boolean {
    return this.#waiting > 0 && this.#hasLasted;
  }

  /** In words, for logs and reports; null: it is not silent. */
  get words(): string | null {
    return this.isSilent ? `it has not answered for ${Math.floor(this.#lastedMs / 1_000)} seconds` : null;
  }

  /** When it may begin, if the relay does not answer before; null: it has begun, or nothing waits for the relay. */
  get mayBeginAt(): Instant | null {
    const leftMs = SILENT_AFTER_MS - this.#lastedMs;
    return this.#waiting > 0 && leftMs > 0 ? this.clock.now() + leftMs : null;
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
