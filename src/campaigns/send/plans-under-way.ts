import type { Planned } from "./plan.ts";

/** A plan that this server is making. */
type Making = {
  readonly plan: Promise<Planned>;
  readonly begun: Promise<void>;
  /** Somebody was told that it goes on, and no longer waits for it. */
  isPromised: boolean;
  hasFailed: boolean;
};

/**
 * The plans that this server is making, one for each campaign, and what those who wait for them were told.
 *
 *   made --begun--> may be promised --promise--> goes on over what passes --> ended
 *                    '--failed: its callers are told, and it is promised no more--> ended
 */
export class PlansUnderWay {
  /** By campaign. */
  readonly #all = new Map<string, Making>();

  has(campaignId: string): boolean {
    return this.#all.has(campaignId);
  }

  /** The campaign's plan, which all callers share; null: none is being made. */
  find(campaignId: string): Promise<Planned> | null {
    return this.#all.get(campaignId)?.plan ?? null;
  }

  /** Resolves when the plan has begun, and at once if none is being made. */
  begun(campaignId: string): Promise<void> {
    return this.#all.get(campaignId)?.begun ?? Promise.resolve();
  }

  /** Makes the plan of a campaign that has none. `make` calls `begun` when the plan is written. */
  add(campaignId: string, make: (begun: () => void) => Promise<Planned>): Promise<Planned> {
    const begun = Promise.withResolvers<void>();
    const plan = make(begun.resolve).finally(() => this.#all.delete(campaignId));
    this.#all.set(campaignId, { plan, begun: begun.promise, isPromised: false, hasFailed: false });
    return plan;
  }

  /** Whoever waits is told that the plan goes on. False: it does not, because it has ended or failed. */
  promise(campaignId: string): boolean {
    const made = this.#all.get(campaignId);
    if (made === undefined) return false;
    made.isPromised = !made.hasFailed;
    return made.isPromised;
  }

  isPromised(campaignId: string): boolean {
    return this.#all.get(campaignId)?.isPromised === true;
  }

  /** From now on the plan cannot be promised: it is being given up. */
  failed(campaignId: string): void {
    const made = this.#all.get(campaignId);
    if (made !== undefined) made.hasFailed = true;
  }

  /** Resolves when all of them have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#all.values()].map(({ plan }) => plan));
  }
}
