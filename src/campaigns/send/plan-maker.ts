import type { Clock } from "#core/time/clock.ts";
import { AppError, errorOf } from "#core/errors/errors.ts";
import { localTime } from "#workspaces/local-time.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { frozenLetter } from "./frozen-letter.ts";
import { checkAudience } from "./guardrails.ts";
import type { Plan, PlanStore, PlanWork } from "./plan.ts";
import { CutOff, slices } from "./plan-slices.ts";

export type PlanMakerParts = {
  readonly plans: Pick<PlanStore, "settle" | "planNext" | "complete">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly clock: Clock;
  /** Aborts when the server ends. */
  readonly stop: AbortSignal;
};

/** A person stopped the send. Its rows stay, and nobody gets mail. */
export class StoppedPlan extends Error {}

/**
 * Settles the audience of a plan that was begun, reads it slice by slice, and completes the plan.
 *
 * @throws CutOff if the server ends first; StoppedPlan if a person stopped the send; AppError if the audience may
 * not be mailed, or the campaign was changed meanwhile. Then the plan must be given up.
 */
export async function makePlan(parts: PlanMakerParts, plan: Plan): Promise<void> {
  await settle(parts, plan);
  await walkAudience(parts, plan);
  await complete(parts, plan);
}

/** At its end the server does not wait for an answer about segments: the next server asks again. */
async function settle({ plans, clock, stop }: PlanMakerParts, plan: Plan): Promise<void> {
  const stopped = Promise.withResolvers<"stopped">();
  const resolve = () => stopped.resolve("stopped");
  stop.addEventListener("abort", resolve);
  try {
    if (stop.aborted) throw new CutOff();
    if ((await Promise.race([plans.settle(plan, clock.now()), stopped.promise])) === "stopped")
      throw new CutOff();
  } finally {
    stop.removeEventListener("abort", resolve);
  }
}

async function walkAudience({ plans, clock, stop }: PlanMakerParts, plan: Plan): Promise<void> {
  const repeat = { read: slices(clock, stop), write: slices(clock, stop) };
  const planNext = (contactsMax: number) => plans.planNext(plan, contactsMax);
  let next: PlanWork = "read";
  while (next === "read" || next === "write") next = await repeat[next](planNext, next);
  if (next === "stopped") throw new StoppedPlan();
}

async function complete({ plans, workspaces, clock }: PlanMakerParts, plan: Plan): Promise<void> {
  const settings = await workspaces.settings(plan.workspaceId);
  const { dailyCap, monthlyLimit, timezone } = settings;
  const now = clock.now();
  const { day, month } = localTime(now, timezone);
  const ended = await plans.complete(plan, {
    day,
    month,
    now,
    check: (counts) => checkAudience({ ...counts, day, month, dailyCap, monthlyLimit }),
    freeze: (letter) => frozenLetter(settings, letter),
  });
  if (ended === "stopped") throw new StoppedPlan();
  if (ended === "changed") throw changedMeanwhile();
  if (ended !== "complete") throw errorOf(ended);
}

export const changedMeanwhile = (): AppError =>
  new AppError("VALIDATION_ERROR", "The campaign was changed while its send was prepared. Send it again.");
