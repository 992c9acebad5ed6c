import type { Clock } from "#core/time/clock.ts";
import type { Log } from "#log.ts";
import type { Plan, PlanStore } from "./plan.ts";
import { slices } from "./plan-slices.ts";

export type GivenUpPlansParts = {
  readonly plans: Pick<PlanStore, "giveUp" | "abandon">;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the server ends. */
  readonly stop: AbortSignal;
};

/**
 * The plans that this server gave up, until all of their rows are deleted. Giving up is durable before the caller
 * gets an answer, so such a plan never continues. Deleting its rows may fail (a full disk, the end of the server);
 * then it is tried again later.
 */
export class GivenUpPlans {
  readonly #left = new Map<number, Plan>();
  readonly #beingCleared = new Map<number, Promise<void>>();
  #hasComplained = false;

  constructor(private readonly parts: GivenUpPlansParts) {}

  has({ number }: Plan): boolean {
    return this.#left.has(number);
  }

  isBeingCleared({ number }: Plan): boolean {
    return this.#beingCleared.has(number);
  }

  all(): Iterable<Plan> {
    return this.#left.values();
  }

  /** When this resolves, the plan will never continue. As many of its rows as possible are deleted. */
  async giveUp(plan: Plan): Promise<void> {
    this.#left.set(plan.number, plan);
    await this.parts.plans.giveUp(plan);
    await this.clear(plan).catch(() => undefined);
  }

  /** Deletes the remaining rows of the plan. A second call waits for the first. */
  clear(plan: Plan): Promise<void> {
    const { number } = plan;
    this.#left.set(number, plan);
    const clearing =
      this.#beingCleared.get(number) ?? this.#takeBack(plan).finally(() => this.#beingCleared.delete(number));
    this.#beingCleared.set(number, clearing);
    return clearing;
  }

  /** The same in the background. A failure that lasts is logged once. */
  clearLater(plan: Plan): void {
    const { log, stop } = this.parts;
    this.clear(plan).then(
      () => (this.#hasComplained = false),
      (error: unknown) => {
        if (!this.#hasComplained && !stop.aborted)
          log.warn("what is left of a refused send cannot be cleared away yet", {
            campaign: plan.campaignId,
            error,
          });
        this.#hasComplained = true;
      },
    );
  }

  /** Resolves when nothing is being deleted any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#beingCleared.values());
  }

  async #takeBack(plan: Plan): Promise<void> {
    const { plans, clock, stop } = this.parts;
    await plans.giveUp(plan);
    await slices(clock, stop)((rowsMax) => plans.abandon(plan, rowsMax), false);
    this.#left.delete(plan.number);
  }
}
