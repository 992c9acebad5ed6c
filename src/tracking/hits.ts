import type { EngagementHit } from "#deliveries/ledger.ts";

/**
 * Hits that wait to be written. Each message, kind, link and class is kept once, and counted, however often it is
 * hit. At most `countMax` are kept; hits that come while it is full are lost.
 */
export class WaitingHits {
  readonly #hits = new Map<number, EngagementHit>();

  constructor(private readonly countMax: number) {}

  get isEmpty(): boolean {
    return this.#hits.size === 0;
  }

  /** False if it is full. */
  add(hit: EngagementHit): boolean {
    const key = keyOf(hit);
    const known = this.#hits.get(key);
    if (known !== undefined) {
      this.#hits.set(key, { ...known, times: known.times + hit.times });
      return true;
    }
    if (this.#hits.size >= this.countMax) return false;
    this.#hits.set(key, hit);
    return true;
  }

  /** Removes and returns the oldest. */
  take(limit: number): EngagementHit[] {
    const taken: EngagementHit[] = [];
    for (const [key, hit] of this.#hits) {
      if (taken.length === limit) break;
      taken.push(hit);
      this.#hits.delete(key);
    }
    return taken;
  }
}

const CLASSES = ["person", "suspect", "machine"];

/** All links beyond this number count as one. A body has room for a tenth of them. */
const LINKS = 100_000;

/**
 * A number and not a text, because one is made at every hit. Exact up to 10^10 messages.
 */
const keyOf = ({ message, link, by }: EngagementHit): number =>
  (message * LINKS + (link === null ? 0 : Math.min(link.number, LINKS - 2) + 1)) * CLASSES.length +
  CLASSES.indexOf(by);
