import { areTooMany, countBad, countGood, emptyTally, type Measure } from "#mail/smtp/relay/tally.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";
import { giveUpAfterMs } from "./retry-times.ts";

/** After this many refusals of one message, with others accepted in between, the message itself is at fault. */
const REFUSALS_MAX = 3;

/** A message that was refused for this long, with no other message to compare it with, has failed. */
const PATIENCE_MS = giveUpAfterMs.campaign;

/** When `most` of the last `among` recipients were refused, they are no exceptions: the relay refuses us. */
const ODD: Measure = { most: 5, among: 50 };

/**
 * So many replies that read as if they were about one message may come in a row, with nobody accepted between them: in
 * old lists, several dead addresses are beside each other. If mail is put off at MAIL, another relay may take it.
 */
const IN_A_ROW_MAX = { "put off": 2, strike: 10 };

/** Which of these replies it is. */
export type AboutOne = keyof typeof IN_A_ROW_MAX;

const noneInARow = (): Record<AboutOne, number> => ({ "put off": 0, strike: 0 });

/** A refusal of a message that looks like a fault of ours. */
type Refusal = {
  readonly message: number;
  /** The relay accepted the sender's address, so the refusal may be about the recipient or the letter. */
  readonly isSenderTaken: boolean;
  readonly urgency: Urgency;
};

/** `relay`: it refuses us, and gets a pause. `put off`: try this message later. `failed`: never try it again. */
type Verdict = "relay" | "put off" | "failed";

/**
 * Some refusals of a recipient look like a fault of ours ("relaying denied", "protocol error"). When the relay
 * accepts the other recipients, the refusal is about that recipient: the message is put off, and fails at the third
 * refusal. When it accepts nobody, or refuses more than a few that way, the refusals are about us. One instance per
 * relay and sender: a sender that the relay does not want is refused in the same words, and its messages must not fail
 * because other senders' are accepted. Refusals because of our speed are not judged here (`too-fast-count.ts`).
 */
export class RefusalCount {
  #acceptedInAll = 0;
  /** Messages accepted since the relay last turned out to refuse us. */
  #acceptedLately = 0;
  #odd = emptyTally;
  #inARow = noneInARow();
  readonly #refused = new Map<number, { times: number; acceptedBefore: number; sinceMs: number }>();

  accepted(): void {
    this.#acceptedInAll++;
    this.#acceptedLately++;
    this.#odd = countGood(this.#odd);
    this.#inARow = noneInARow();
  }

  /**
   * Whether a reply that reads as if it were about one message is about us, because the relay takes nobody. A refusal
   * comes sooner than an acceptance, so each of the `others` under way may still be accepted.
   */
  takesNobody(about: AboutOne, urgency: Urgency, others: number): boolean {
    // Each request has other recipients, so what became of the last one proves nothing of this one. But it cannot wait
    // until a message that was put off is tried again.
    if (urgency === "awaited") return about === "put off";
    this.#inARow[about]++;
    if (this.#inARow[about] <= IN_A_ROW_MAX[about] + others) return false;
    this.#acceptedLately = 0;
    return true;
  }

  /** The message ended in another way. */
  forget(message: number): void {
    this.#refused.delete(message);
  }

  /** `nowMs`: monotonic, because no time has passed when the clock jumps ahead. */
  judge(refusal: Refusal, nowMs: number): Verdict {
    const { message } = refusal;
    const known = this.#refused.get(message) ?? {
      times: 0,
      acceptedBefore: this.#acceptedInAll,
      sinceMs: nowMs,
    };
    known.times++;
    this.#refused.set(message, known);
    const hasHadItsTries = known.times >= REFUSALS_MAX;
    if (hasHadItsTries && this.#acceptedInAll > known.acceptedBefore) return "failed";
    if (known.times > 1 && nowMs - known.sinceMs >= PATIENCE_MS) return "failed";
    if (refusal.isSenderTaken && this.#countOdd(refusal)) return hasHadItsTries ? "failed" : "put off";
    return "relay";
  }

  /** Counts the refusal. True: it is one of a few exceptions. A relay that accepts nobody has no exceptions. */
  #countOdd({ urgency }: Refusal): boolean {
    if (this.#acceptedLately === 0) return false;
    // A request's content is its own, so it says nothing about the relay.
    if (urgency === "awaited") return true;
    this.#odd = countBad(this.#odd, ODD);
    if (!areTooMany(this.#odd, ODD)) return true;
    this.#acceptedLately = 0;
    this.#odd = emptyTally;
    return false;
  }
}
