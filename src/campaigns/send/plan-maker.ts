import { isDeepStrictEqual } from "node:util";
import type { Clock, Instant } from "#core/time/clock.ts";
import { AppError, errorOf, throwIf, type Refusal } from "#core/errors/errors.ts";
import { isCompiled, type LetterCheck } from "#deliveries/letters/letter-check.ts";
import { localTime } from "#workspaces/local-time.ts";
import { checkMaySend } from "#workspaces/sending-switch.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { patiently, patientlyChecked, unlessCutOff } from "./cut-off.ts";
import { frozenLetter, type LetterToFreeze } from "./frozen-letter.ts";
import { checkAudience, checkBeforePlan } from "./guardrails.ts";
import type { Completion, Plan, PlanStore, PlanWork } from "./plan.ts";
import { slices } from "./plan-slices.ts";

export type PlanMakerParts = {
  readonly plans: Pick<PlanStore, "settle" | "planNext" | "complete">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly checkLetter: LetterCheck;
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

async function settle({ plans, clock, stop }: PlanMakerParts, plan: Plan): Promise<void> {
  await unlessCutOff(stop, () => plans.settle(plan, clock.now()));
}

async function walkAudience({ plans, clock, stop }: PlanMakerParts, plan: Plan): Promise<void> {
  const repeat = { read: slices(clock, stop), write: slices(clock, stop) };
  const planNext = (contactsMax: number) => plans.planNext(plan, contactsMax);
  let next: PlanWork = "read";
  while (next === "read" || next === "write") next = await repeat[next](planNext, next);
  if (next === "stopped") throw new StoppedPlan();
}

/**
 * A long list takes minutes, and until its plan is complete the campaign and the settings may be changed. So what is
 * frozen is checked once more. Compiling takes a thread, so the transaction hands out a letter that must be checked
 * first, and the plan is completed again. That repeats as long as somebody saves yet another one meanwhile.
 */
async function complete(parts: PlanMakerParts, plan: Plan): Promise<void> {
  const { plans, workspaces, checkLetter, clock } = parts;
  const { workspaceId } = plan;
  let checked: LetterToFreeze | null = null;
  for (;;) {
    const settings = await patiently(parts, () => workspaces.settings(workspaceId));
    throwIf(checkMaySend(settings));
    const ended = await plans.complete(plan, completionOf(settings, checked, clock.now()));
    if (ended === "complete") return;
    if (ended === "stopped") throw new StoppedPlan();
    if (ended === "changed") throw changedMeanwhile();
    if ("refused" in ended) throw errorOf(ended.refused);
    const letter = (checked = ended.unchecked);
    throwIf(await patientlyChecked(parts, () => checkLetter(workspaceId, letter)));
  }
}

function completionOf(settings: Settings, checked: LetterToFreeze | null, now: Instant): Completion {
  const { dailyCap, monthlyLimit, timezone } = settings;
  const { day, month } = localTime(now, timezone);
  return {
    day,
    month,
    now,
    isChecked: (letter) => !isCompiled(letter.options) || isDeepStrictEqual(letter, checked),
    check: (counts, letter) =>
      checkLetterMayLeave(settings, letter.options) ??
      checkAudience({ ...counts, day, month, dailyCap, monthlyLimit }),
    freeze: (letter) => frozenLetter(settings, letter),
  };
}

/** Quiet hours do not matter: a send that has started is not stopped by them. */
const checkLetterMayLeave = (settings: Settings, { fromEmail }: LetterToFreeze["options"]): Refusal | null =>
  checkBeforePlan({
    mailingAddress: settings.mailingAddress,
    senders: settings,
    fromEmail,
    quiet: false,
    overrideQuietHours: true,
  });

export const changedMeanwhile = (): AppError =>
  new AppError("VALIDATION_ERROR", "The campaign was changed while its send was prepared. Send it again.");
