/** Makes the plans of sends, one for each campaign at a time, and sees to what becomes of those that were not completed. */
import type { Clock } from "#core/clock.ts";
import { AppError, notFound, type Refusal } from "#core/errors.ts";
import { contentUnder } from "#deliveries/mailing-content.ts";
import type { Log } from "#log.ts";
import { localTime } from "#workspaces/local-time.ts";
import { isQuiet } from "#workspaces/quiet-hours.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { checkAudience, checkBeforePlan, checkCutOffPlan } from "./guardrails.ts";
import type { Plan, PlanOptions, PlanStore, UnfinishedPlan } from "./plan.ts";
import { slices } from "./plan-slices.ts";
import type { CampaignStore, StoredCampaign } from "./store.ts";

/** The mailing of a complete plan; null where the server ends first: then the next one goes on with the plan. */
export type Planned = number | null;

export type Planning = ReturnType<typeof planningService>;

export function planningService(parts: {
  campaigns: Pick<CampaignStore, "find">;
  plans: PlanStore;
  workspaces: Pick<WorkspaceStore, "settings">;
  clock: Clock;
  log: Log;
}) {
  const { campaigns, plans, workspaces, clock, log } = parts;
  /** Plans being made by this server, by campaign: whoever asks meanwhile waits for the same one. */
  const making = new Map<string, Promise<Planned>>();
  /** Plans this server gave up, until nothing is left of them. */
  const givenUp = new Map<number, Plan>();
  const clearings = new Map<number, Promise<void>>();
  let hasComplained = false;
  let stopping = false;

  const find = async ({ workspaceId, campaignId }: Omit<Plan, "number">): Promise<StoredCampaign> => {
    const found = await campaigns.find(workspaceId, campaignId);
    if (!found) throw notFound("The campaign");
    return found;
  };

  /** Between two slices: the end of the server does not wait for the end of a plan. */
  const unlessStopping = <T>(step: (rowsMax: number) => Promise<T>) => {
    return (rowsMax: number): Promise<T> => {
      if (stopping) throw new CutOff();
      return step(rowsMax);
    };
  };

  const walkList = async (plan: Plan): Promise<void> => {
    const [gatherInSlices, planInSlices] = [slices(clock), slices(clock)];
    const gather = unlessStopping((rowsMax) => plans.gather(plan, rowsMax));
    const advance = unlessStopping((rowsMax) => plans.advance(plan, rowsMax));
    while ((await gatherInSlices(gather)) !== "end") await planInSlices(advance);
  };

  const complete = async (plan: Plan): Promise<void> => {
    await walkList(plan);
    const settings = await workspaces.settings(plan.workspaceId);
    const now = clock.now();
    const { day, month } = localTime(now, settings.timezone);
    const ended = await plans.complete(plan, {
      day,
      month,
      now,
      check: (counts) =>
        checkAudience({
          ...counts,
          day,
          month,
          dailyCap: settings.dailyCap,
          monthlyLimit: settings.monthlyLimit,
        }),
      freeze: (letter) => contentUnder(settings, letter),
    });
    if (ended === "changed") throw changedMeanwhile();
    if (ended !== "complete") throw new AppError(ended.code, ended.message);
  };

  const takeBack = async (plan: Plan): Promise<void> => {
    await plans.giveUp(plan);
    const abandon = async (rowsMax: number) => ((await plans.abandon(plan, rowsMax)) ? "end" : "more");
    await slices(clock)(unlessStopping(abandon));
    givenUp.delete(plan.number);
  };

  /** Takes out what is left of a plan that was given up. */
  const clear = (plan: Plan): Promise<void> => {
    givenUp.set(plan.number, plan);
    const clearing =
      clearings.get(plan.number) ?? takeBack(plan).finally(() => clearings.delete(plan.number));
    clearings.set(plan.number, clearing);
    return clearing;
  };

  /**
   * Completes a plan, or gives it up and takes it back. Whoever is told why knows that it does not go on; what could not be taken out is
   * taken out later.
   */
  const finish = async (plan: Plan, check: () => Promise<void>): Promise<Planned> => {
    try {
      await check();
      await complete(plan);
      return plan.number;
    } catch (error) {
      if (error instanceof CutOff) return null;
      givenUp.set(plan.number, plan);
      await plans.giveUp(plan);
      await clear(plan).catch(() => undefined);
      throw error;
    }
  };

  const checkGuardrails = async (
    workspaceId: string,
    found: StoredCampaign,
    { overrideQuietHours }: Pick<PlanOptions, "overrideQuietHours">,
  ): Promise<void> => {
    const settings = await workspaces.settings(workspaceId);
    throwIf(
      checkBeforePlan({
        ...settings,
        status: found.campaign.status,
        listId: found.campaign.listId,
        quiet: isQuiet(clock.now(), settings.quietHours, settings.timezone),
        overrideQuietHours,
      }),
    );
  };

  const once = (campaignId: string, make: () => Promise<Planned>): Promise<Planned> => {
    const plan = make().finally(() => making.delete(campaignId));
    making.set(campaignId, plan);
    return plan;
  };

  const planAnew = async (
    workspaceId: string,
    campaignId: string,
    options: PlanOptions,
  ): Promise<Planned> => {
    // What a plan that could not be taken back left: planned for other people, perhaps, or with other exclusions.
    const leftover = await plans.leftover(workspaceId, campaignId);
    if (leftover) await clear(leftover);
    const plan = await plans.begin(workspaceId, campaignId, options, clock.now());
    if (plan) return await finish(plan, async () => undefined);
    const { mailing } = await find({ workspaceId, campaignId });
    if (mailing !== null) return mailing;
    throw changedMeanwhile();
  };

  /** A plan that was cut off begins where nothing is promised any more: everything that may stand in its way is looked at again. */
  const goOn = (plan: UnfinishedPlan, options: Pick<PlanOptions, "overrideQuietHours">): Promise<Planned> =>
    once(plan.campaignId, () =>
      finish(plan, async () => {
        const found = await find(plan);
        throwIf(checkCutOffPlan(plan.scheduledAt, found.campaign, clock.now()));
        await checkGuardrails(plan.workspaceId, found, options);
      }),
    );

  const clearLater = (plan: Plan): void => {
    clear(plan).then(
      () => (hasComplained = false),
      (error: unknown) => {
        if (!hasComplained && !stopping)
          log.warn("what is left of a refused send cannot be cleared away yet", {
            campaign: plan.campaignId,
            error,
          });
        hasComplained = true;
      },
    );
  };

  return {
    checkGuardrails,

    isMaking: (campaignId: string): boolean => making.has(campaignId),

    /** Makes the plan of a campaign, or joins whoever is making it. */
    plan: (workspaceId: string, campaignId: string, options: PlanOptions): Promise<Planned> =>
      making.get(campaignId) ?? once(campaignId, () => planAnew(workspaceId, campaignId, options)),

    /**
     * Looks for plans nobody is making: those that the end of a server cut off, or that a person released, go on; those that were given up
     * are taken back. `whenMade` is called for each that is complete. Waits for none of them.
     */
    async lookAfter(whenMade: () => void): Promise<void> {
      if (stopping) return;
      const isFree = ({ campaignId, number }: Plan) => !making.has(campaignId) && !clearings.has(number);
      for (const plan of givenUp.values()) if (isFree(plan)) clearLater(plan);
      for (const plan of await plans.unfinished()) {
        if (!isFree(plan) || givenUp.has(plan.number)) continue;
        if (plan.goesOn === null) clearLater(plan);
        else
          goOn(plan, plan.goesOn).then(whenMade, (error: unknown) =>
            log.warn("a send that was cut off does not go on", { campaign: plan.campaignId, error }),
          );
      }
    },

    /** Plans under way end at their next slice; the next server goes on with them. */
    async stop(): Promise<void> {
      stopping = true;
      await Promise.allSettled([...making.values(), ...clearings.values()]);
    },
  };
}

/** The server ends. No fault of the plan's. */
class CutOff extends Error {}

const changedMeanwhile = (): AppError =>
  new AppError("VALIDATION_ERROR", "The campaign was changed while its send was prepared. Send it again.");

function throwIf(refusal: Refusal | null): void {
  if (refusal) throw new AppError(refusal.code, refusal.message);
}
