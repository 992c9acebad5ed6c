import { putLast } from "#core/remembered.ts";
import { LONGEST_HOLD_MS } from "#deliveries/domains/slowing.ts";
import { giveUpAfterMs } from "./retry-times.ts";

/** As after every temporary refusal of a campaign's message. */
const PATIENCE_MS = giveUpAfterMs.campaign;

/** While mail waits, a domain is asked more often than this. In the rest of a longer gap nobody could be asked. */
const GAP_MAX_MS = 2 * LONGEST_HOLD_MS;

/** If so few are refused until the relay takes a message, it does not mean all our mail. */
const FEW = 3;

/** Beyond that, what was refused longest ago is forgotten, and its time begins anew. */
const KEPT = 10_000;

type Answer = {
  /** Monotonic. */
  readonly atMs: number;
  /** The answer was about the recipient or the domain. */
  readonly isOwn: boolean;
  /** How long the relay had taken no message, as of then. */
  readonly outagesMs: number;
};

/** How long each of several has been refused. */
class RefusedTimes<Key> {
  readonly #known = new Map<Key, { readonly forMs: number; readonly last: Answer }>();

  /** Returns the time until this answer. */
  add(key: Key, answer: Answer): number {
    const forMs = this.#timeOf(key, answer);
    putLast(this.#known, key, { forMs, last: answer }, KEPT);
    return forMs;
  }

  forget(key: Key): void {
    this.#known.delete(key);
  }

  #timeOf(key: Key, { atMs, isOwn, outagesMs }: Answer): number {
    const known = this.#known.get(key);
    if (known === undefined) return 0;
    const { forMs, last } = known;
    const gapMs = Math.max(0, atMs - last.atMs - (outagesMs - last.outagesMs));
    // So long ago, it says nothing about today.
    if (gapMs > PATIENCE_MS) return 0;
    return forMs + (isOwn && last.isOwn ? Math.min(gapMs, GAP_MAX_MS) : 0);
  }
}

/**
 * Answers to a recipient that our mail comes too fast use up no attempt, so nothing else ends a message that gets no
 * other answer. It fails at such an answer when this recipient was answered so for 24 hours, or the whole domain was,
 * and took no message meanwhile. A slowed domain is asked rarely, so each of many recipients would have to wait for
 * weeks until their own answers fill a day.
 *
 *   time between two such answers  counts, up to `GAP_MAX_MS`: nobody is asked while a person pauses the campaign
 *   while the relay was down       does not count: the message could not be tried
 *   the relay means all our mail   does not count: more than `FEW` never fail by a quota, however long it lasts
 *
 * One instance per relay and sender, in memory only: after a restart the time begins anew.
 */
export class TooFastCount {
  readonly #ofMessages = new RefusedTimes<number>();
  readonly #ofDomains = new RefusedTimes<string>();
  /** Who was refused since the relay took a message. */
  readonly #sinceTaken = new Set<number>();
  /** Since then it also complained itself. Domains that complained before that may have meant the same. */
  #isRelays = false;
  #downSinceMs: number | null = null;
  #outagesMs = 0;

  /** The relay took a message for the domain. */
  accepted(domain: string, nowMs: number): void {
    this.#up(nowMs);
    this.#ofDomains.forget(domain);
    this.#sinceTaken.clear();
    this.#isRelays = false;
  }

  /** The relay is in trouble that is about no recipient. */
  down(nowMs: number): void {
    this.#downSinceMs ??= nowMs;
  }

  /** The message ended. */
  forget(message: number): void {
    this.#ofMessages.forget(message);
  }

  /**
   * The recipient's answer is that we are too fast. `isOfDomain`: its domain complains, as far as we know. Returns true
   * when the message has failed by that.
   */
  refused(message: number, domain: string, isOfDomain: boolean, nowMs: number): boolean {
    this.#up(nowMs);
    if (this.#sinceTaken.size <= FEW) this.#sinceTaken.add(message);
    this.#isRelays ||= !isOfDomain;
    const isOwn = this.#sinceTaken.size <= FEW || !this.#isRelays;
    const answer = { atMs: nowMs, isOwn, outagesMs: this.#outagesMs };
    const forMs = Math.max(this.#ofMessages.add(message, answer), this.#ofDomains.add(domain, answer));
    return isOwn && forMs >= PATIENCE_MS;
  }

  #up(nowMs: number): void {
    if (this.#downSinceMs !== null) this.#outagesMs += nowMs - this.#downSinceMs;
    this.#downSinceMs = null;
  }
}
