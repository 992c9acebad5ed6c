import { areTooMany, countBad, countGood, emptyTally, type Measure } from "./tally.ts";

/**
 * A connection lost before the dot costs its message one attempt. If half of the last fifty end in this way, or two
 * while the relay answered nobody, the relay counts as down.
 */
const LOST_BEFORE_DOT: Measure = { most: 25, among: 50 };

/**
 * A connection lost at the dot leaves its message UNCERTAIN for good, so we stop early: after five of the last two
 * hundred. Such a relay can cost us three things: these five; the dots on its other connections at that moment
 * (fewer than `maxConnections`); and one message after each pause (`throttle.ts`). Together that is about a hundred
 * messages on the first day, however long the list is. A relay that loses fewer than five of two hundred stays in
 * use: there, at most one message in forty is lost. If the relay answered nobody meanwhile (`silence.ts`), two are
 * enough.
 */
const LOST_AT_DOT: Measure = { most: 5, among: 200 };

/** How many of a relay's connections were lost with a message on them. */
export class LostConnections {
  #beforeDot = emptyTally;
  #atDot = emptyTally;

  /** The relay accepted a message. */
  accepted(): void {
    this.#beforeDot = countGood(this.#beforeDot);
    this.#atDot = countGood(this.#atDot);
  }

  /** One more was lost before the dot. True: these are too many. */
  beforeDot(): boolean {
    this.#beforeDot = countBad(this.#beforeDot, LOST_BEFORE_DOT);
    return areTooMany(this.#beforeDot, LOST_BEFORE_DOT);
  }

  /** One more was lost at the dot. True: these are too many. */
  atDot(): boolean {
    this.#atDot = countBad(this.#atDot, LOST_AT_DOT);
    return areTooMany(this.#atDot, LOST_AT_DOT);
  }
}
