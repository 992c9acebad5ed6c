import type { EngagementHit } from "#deliveries/ledger.ts";

/**
 * Hits that wait to be written, each message, kind and class once however often it is hit. It holds `countMax` at most: what
 * comes while it is full is lost.
 */
export class WaitingHits {
  readonly #hits = new Map<string, EngagementHit>();

  constructor(private readonly countMax: number) {}

  get isEmpty(): boolean {
    return this.#hits.size === 0;
  }

  /** False when it is full. */
  add(hit: EngagementHit): boolean {
    const key = `${hit.by} ${hit.kind} ${hit.message}`;
    if (this.#hits.has(key)) return true;
    if (this.#hits.size >= this.countMax) return false;
    this.#hits.set(key, hit);
    return true;
  }

  /** Removes and returns the oldest. */
  take(limit: number): EngagementHit[] {
    const taken = [...this.#hits.entries().take(limit)];
    for (const [key] of taken) this.#hits.delete(key);
    return taken.map(([, hit]) => hit);
  }
}
