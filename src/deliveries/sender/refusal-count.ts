import type { Instant } from "#core/clock.ts";
import { areTooMany, countBad, countGood, emptyTally, type Measure } from "#mail/smtp/tally.ts";

/** So many refusals of one message, with others accepted in between, and the message is what is wrong. */
const REFUSALS_MAX = 3;

/** Refused for so long, with nobody else to compare it with, it has had its time. */
const PATIENCE_MS = 24 * 60 * 60_000;

/** So many recipients refused among the last so many messages are no longer a few odd ones: then the relay refuses us. */
const ODD: Measure = { most: 5, among: 50 };

/** A refusal of a message that reads like a fault of ours, where somebody waits for its outcome or not. */
type Refusal = {
  readonly message: number;
  /** The sender's address was taken: the refusal may be about the recipient or the letter. */
  readonly isSenderTaken: boolean;
  readonly isAwaited: boolean;
};

/** `relay`: it refuses us, and is left alone for a while; `put off`: this message later; `failed`: this message never. */
type Verdict = "relay" | "put off" | "failed";

/**
 * Some refusals of a recipient read like a fault of ours ("relaying denied", "protocol error"). From a relay that takes the
 * others they are about that recipient: the message is put off, and fails at the third refusal. From one that takes nobody,
 * or refuses more than a few that way, they are about us. Of one relay; refusals for speed are never judged here, they
 * count against nobody.
 */
export class RefusalCount {
  #acceptedInAll = 0;
  /** Since the relay was last taken to refuse us. */
  #acceptedLately = 0;
  #odd = emptyTally;
  readonly #refused = new Map<number, { times: number; acceptedBefore: number; since: Instant }>();

  accepted(): void {
    this.#acceptedInAll++;
    this.#acceptedLately++;
    this.#odd = countGood(this.#odd);
  }

  /** The message came to another end. */
  forget(message: number): void {
    this.#refused.delete(message);
  }

  judge(refusal: Refusal, now: Instant): Verdict {
    const { message } = refusal;
    const known = this.#refused.get(message) ?? {
      times: 0,
      acceptedBefore: this.#acceptedInAll,
      since: now,
    };
    known.times++;
    this.#refused.set(message, known);
    const hasHadItsTries = known.times >= REFUSALS_MAX;
    if (hasHadItsTries && this.#acceptedInAll > known.acceptedBefore) return "failed";
    if (known.times > 1 && now - known.since >= PATIENCE_MS) return "failed";
    if (refusal.isSenderTaken && this.#isOdd(refusal)) return hasHadItsTries ? "failed" : "put off";
    return "relay";
  }

  /** Whether it is one of a few. A relay that takes nobody has no odd ones. */
  #isOdd({ isAwaited }: Refusal): boolean {
    if (this.#acceptedLately === 0) return false;
    // What one request chose says nothing about the relay.
    if (isAwaited) return true;
    this.#odd = countBad(this.#odd, ODD);
    if (!areTooMany(this.#odd, ODD)) return true;
    this.#acceptedLately = 0;
    this.#odd = emptyTally;
    return false;
  }
}
