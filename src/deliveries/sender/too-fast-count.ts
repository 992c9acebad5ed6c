import { putLast } from "#core/remembered.ts";
import type { Instant } from "#core/time/clock.ts";
import { giveUpAfterMs } from "./backoff.ts";

/** As after every temporary refusal of a campaign's message. */
const PATIENCE_MS = giveUpAfterMs.campaign;

/** If so few are refused until the relay takes a message, it does not mean all our mail. */
const FEW = 3;

/** Beyond that, the message that was refused longest ago is forgotten, and its time begins anew. */
const KEPT = 10_000;

type Refused = {
  /** How long it has been refused so far. */
  readonly forMs: number;
  readonly lastAt: Instant;
  /** The last answer was about this message or its domain. */
  readonly wasOwn: boolean;
  /** How long the relay had taken no message, as of then. */
  readonly outagesMs: number;
};

/**
 * Answers to a recipient that our mail comes too fast use up no attempt, so nothing else ends a message that gets no
 * other answer. It fails when it was answered so for 24 hours.
 *
 *   time between two such answers  counts
 *   while the relay was down       does not count: the message could not be tried
 *   the relay means all our mail   does not count: nobody fails by a quota, however long it lasts
 *
 * One instance per relay and sender, in memory only: after a restart the time begins anew.
 */
export class TooFastCount {
  readonly #refused = new Map<number, Refused>();
  /** Who was refused since the relay took a message. */
  readonly #sinceTaken = new Set<number>();
  /** Since then it also complained itself. Domains that complained before that may have meant the same. */
  #isRelays = false;
  #downSince: Instant | null = null;
  #outagesMs = 0;

  /** The relay took a message. */
  accepted(now: Instant): void {
    this.#up(now);
    this.#sinceTaken.clear();
    this.#isRelays = false;
  }

  /** The relay is in trouble that is about no recipient. */
  down(now: Instant): void {
    this.#downSince ??= now;
  }

  /** The message ended in another way. */
  forget(message: number): void {
    this.#refused.delete(message);
  }

  /**
   * The recipient's answer is that we are too fast. `isOfDomain`: its domain complains, as far as we know. Returns true
   * when the message has failed by that.
   */
  refused(message: number, isOfDomain: boolean, now: Instant): boolean {
    this.#up(now);
    if (this.#sinceTaken.size <= FEW) this.#sinceTaken.add(message);
    this.#isRelays ||= !isOfDomain;
    const isOwn = this.#sinceTaken.size <= FEW || !this.#isRelays;
    const forMs = this.#timeOf(message, isOwn, now);
    if (forMs >= PATIENCE_MS) return true;
    const refused = { forMs, lastAt: now, wasOwn: isOwn, outagesMs: this.#outagesMs };
    putLast(this.#refused, message, refused, KEPT);
    return false;
  }

  #timeOf(message: number, isOwn: boolean, now: Instant): number {
    const known = this.#refused.get(message);
    if (known === undefined) return 0;
    const gapMs = now - known.lastAt - (this.#outagesMs - known.outagesMs);
    return known.forMs + (isOwn && known.wasOwn ? Math.max(0, gapMs) : 0);
  }

  #up(now: Instant): void {
    if (this.#downSince !== null) this.#outagesMs += Math.max(0, now - this.#downSince);
    this.#downSince = null;
  }
}
