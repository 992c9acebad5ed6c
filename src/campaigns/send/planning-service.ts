/**
 * Makes the plans of sends, and looks after those that were not completed.
 *
 *   plan: begin --> walk the list, complete (plan-maker.ts) --> sent by the sender
 *                          |
 *                          '-- refused, or changed meanwhile --> given up, rows deleted (given-up-plans.ts)
 *
 * A plan that cannot be written is given up too, and its caller is told. If nobody waits for it any more, because it
 * was promised, it is tried again until it can be written.
 *
 *   lookAfter: a plan that an earlier server left --> checked again --> walked from where it stopped
 *              a plan that was given up           --> its rows are deleted
 *
 * A campaign has one plan at a time. All callers that ask for it meanwhile wait for the same plan.
 */
import { noSuchCampaign } from "#campaigns/campaign.ts";
import { sleep, type Clock } from "#core/time/clock.ts";
import { throwIf, type Refusal } from "#core/errors/errors.ts";
import { isUnreachable, StorageError } from "#core/errors/storage-error.ts";
import type { Log } from "#log.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { LetterCheck } from "#deliveries/letters/letter-check.ts";
import { GivenUpPlans } from "./given-up-plans.ts";
import { CutOff, patientlyChecked, unlessCutOff } from "./cut-off.ts";
import { checkCutOffPlan } from "./guardrails.ts";
import type { Plan, Planned, PlanOptions, PlanStore, UnfinishedPlan } from "./plan.ts";
import { changedMeanwhile, makePlan, StoppedPlan, type PlanMakerParts } from "./plan-maker.ts";
import type { RefusalOf } from "./refusal-service.ts";
import { PlansUnderWay } from "./plans-under-way.ts";
import type { CampaignStore, StoredCampaign } from "#campaigns/store.ts";

type QuietHours = Pick<PlanOptions, "overrideQuietHours">;

export type Planning = {
  /** @throws AppError if a guardrail stops the campaign before its audience is counted */
  checkGuardrails(workspaceId: string, found: StoredCampaign, options: QuietHours): Promise<void>;

  isMaking(campaignId: string): boolean;

  /**
   * Makes the plan of a campaign, or waits for the one that is being made.
   * @throws AppError if it is refused
   */
  plan(workspaceId: string, campaignId: string, options: PlanOptions): Promise<Planned>;

  /**
   * Resolves when the plan that is being made has begun: then it is written, and goes on even if this server ends. If it
   * cannot begin, `plan` rejects.
   */
  begun(campaignId: string): Promise<void>;

  /**
   * The caller is answered that the send goes on. Call it only when the plan has begun: nothing is kept before. Until
   * `plan` has ended, nothing that passes by itself ends it. False: it has ended, or is being given up.
   */
  promise(campaignId: string): boolean;

  /**
   * Looks for plans that nobody is working on. Plans that were cut off by the end of a server, or released by a
   * person, are continued; plans that were given up are deleted. This waits for none of them. `whenMade` is called
   * for each plan that is complete.
   */
  lookAfter(whenMade: () => void): Promise<void>;

  /** The plans under way end after their current slice; the next server continues them. */
  stop(): Promise<void>;
};

type PlanningParts = {
  readonly campaigns: Pick<CampaignStore, "find">;
  readonly plans: PlanStore;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly refusalOf: RefusalOf;
  readonly checkLetter: LetterCheck;
  readonly clock: Clock;
  readonly log: Log;
};

/** How long it waits before it tries again what a promised send needs. */
const RETRY_EVERY_MS = 1_000;
/** How often it looks whether the plan that another server makes has ended. */
const LOOK_EVERY_MS = 500;

export const planningService = (parts: PlanningParts): Planning => new Planner(parts);

class Planner implements Planning {
  readonly #making = new PlansUnderWay();
  /** Campaigns whose plan waited for a file that cannot be read when they were last looked at: they are logged already. */
  #waiting: ReadonlySet<string> = new Set();
  readonly #end = new AbortController();
  readonly #maker: PlanMakerParts;
  readonly #givenUp: GivenUpPlans;

  constructor(private readonly parts: PlanningParts) {
    const shared = { ...parts, stop: this.#end.signal };
    this.#maker = shared;
    this.#givenUp = new GivenUpPlans(shared);
  }

  isMaking(campaignId: string): boolean {
    return this.#making.has(campaignId);
  }

  plan(workspaceId: string, campaignId: string, options: PlanOptions): Promise<Planned> {
    const anew = (begun: () => void) => this.#planAnew(workspaceId, campaignId, options, begun);
    return this.#making.find(campaignId) ?? this.#making.add(campaignId, anew);
  }

  begun(campaignId: string): Promise<void> {
    return this.#making.begun(campaignId);
  }

  promise(campaignId: string): boolean {
    return this.#making.promise(campaignId);
  }

  async lookAfter(whenMade: () => void): Promise<void> {
    if (this.#end.signal.aborted) return;
    for (const plan of this.#givenUp.all()) if (this.#isFree(plan)) this.#givenUp.clearLater(plan);
    const waiting = new Set<string>();
    for (const plan of await this.parts.plans.unfinished()) {
      if (!this.#isFree(plan) || this.#givenUp.has(plan)) continue;
      const { state } = plan;
      if (state.kind === "givenUp") this.#givenUp.clearLater(plan);
      else if (state.kind === "unreadable") {
        this.#waits(plan, state.error);
        waiting.add(plan.campaignId);
      } else this.#goOn(plan, state).then(whenMade, (error: unknown) => this.#doesNotGoOn(plan, error));
    }
    this.#waiting = waiting;
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all([this.#making.settled(), this.#givenUp.settled()]);
  }

  async checkGuardrails(
    workspaceId: string,
    found: StoredCampaign,
    { overrideQuietHours }: QuietHours,
  ): Promise<void> {
    throwIf(await this.parts.refusalOf(workspaceId, found, { overrideQuietHours }));
  }

  async #planAnew(
    workspaceId: string,
    campaignId: string,
    options: PlanOptions,
    begun: () => void,
  ): Promise<Planned> {
    try {
      const plan = await this.#begin({ workspaceId, campaignId }, options, begun);
      if (plan) return await this.#make(plan);
    } catch (error) {
      if (error instanceof CutOff) return null;
      throw error;
    }
    const { mailing } = await this.#find(workspaceId, campaignId);
    if (mailing !== null) return mailing;
    throw changedMeanwhile();
  }

  /**
   * Begins a plan. Where another server makes one of the same campaign, it waits: that plan may be refused, and then
   * whoever asked here is told so too. Null: there is nothing to begin.
   * @throws CutOff if one of the two servers ends meanwhile
   */
  async #begin(
    { workspaceId, campaignId }: Pick<Plan, "workspaceId" | "campaignId">,
    options: PlanOptions,
    begun: () => void,
  ): Promise<Plan | null> {
    const { plans, clock } = this.parts;
    for (let isOthers = false; ; isOthers = true) {
      // It may be for other people, or have other exclusions.
      const leftover = await plans.leftover(workspaceId, campaignId);
      // For the same reason it goes on as it was begun: that may have been promised to whoever asked the other server.
      if (isOthers && leftover?.isGivenUp === false) throw new CutOff();
      if (leftover) await this.#givenUp.clear(leftover);
      const plan = await plans.begin(workspaceId, campaignId, options, clock.now());
      // One that is taken is written, and goes on if this server ends.
      if (plan !== null) begun();
      if (plan !== "taken") return plan;
      await unlessCutOff(this.#end.signal, () => sleep(clock, LOOK_EVERY_MS));
    }
  }

  /** Meanwhile anything may have been changed, so everything that may prevent a plan that was cut off is checked again. */
  #goOn(plan: UnfinishedPlan, options: QuietHours): Promise<Planned> {
    const { workspaceId, campaignId, scheduledAt } = plan;
    const { refusalOf, clock } = this.parts;
    const refusal = async (): Promise<Refusal | null> => {
      const found = await this.#find(workspaceId, campaignId);
      const changed = checkCutOffPlan(scheduledAt, found.campaign, clock.now());
      return changed ?? (await refusalOf(workspaceId, found, options));
    };
    const check = async (): Promise<void> => throwIf(await patientlyChecked(this.#maker, refusal));
    const made = this.#making.add(campaignId, (begun) => {
      begun();
      return this.#make(plan, check);
    });
    // An earlier server may have promised it.
    this.#making.promise(campaignId);
    return made;
  }

  /** Completes a plan. If that fails, gives it up and reports why. */
  async #make(plan: Plan, check?: () => Promise<void>): Promise<Planned> {
    const { campaignId } = plan;
    try {
      if (check) await this.#retryIfPromised(campaignId, check);
      await this.#retryIfPromised(campaignId, () => makePlan(this.#maker, plan));
      return plan.number;
    } catch (error) {
      if (error instanceof CutOff) return null;
      if (error instanceof StoppedPlan) return plan.number;
      // The plan is not at fault and may have been promised: `lookAfter` continues it, here or elsewhere.
      if (isUnreachable(error)) throw error;
      await this.#givenUp.giveUp(plan);
      throw error;
    }
  }

  /**
   * Does a part of a plan. It may fail because of something that passes, such as a full disk. Then whoever waits is
   * told, and the plan fails. A promised one goes on where it stands as soon as it can.
   * @throws CutOff if the server ends while it waits
   */
  async #retryIfPromised(campaignId: string, work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!cannotWriteNow(error) || !this.#making.isPromised(campaignId)) {
          this.#making.failed(campaignId);
          throw error;
        }
      }
      await unlessCutOff(this.#end.signal, () => sleep(this.parts.clock, RETRY_EVERY_MS));
    }
  }

  #isFree(plan: Plan): boolean {
    return !this.#making.has(plan.campaignId) && !this.#givenUp.isBeingCleared(plan);
  }

  /** One file that cannot be read keeps no other campaign from starting. It is looked at again and again. */
  #waits({ campaignId }: Plan, error: Error): void {
    if (this.#waiting.has(campaignId)) return;
    this.parts.log.warn("an interrupted send waits: its file in plans/ cannot be read", {
      campaign: campaignId,
      error,
    });
  }

  #doesNotGoOn({ campaignId }: Plan, error: unknown): void {
    this.parts.log.warn("an interrupted send does not go on", { campaign: campaignId, error });
  }

  async #find(workspaceId: string, campaignId: string): Promise<StoredCampaign> {
    const found = await this.parts.campaigns.find(workspaceId, campaignId);
    if (!found) throw noSuchCampaign(campaignId);
    return found;
  }
}

/**
 * The database answers, but cannot write now, as with a full disk. A plan that meets one that does not answer is left
 * as it is, and `lookAfter` continues it.
 */
const cannotWriteNow = (error: unknown): boolean =>
  error instanceof StorageError && error.trouble !== "unreachable" && error.trouble !== "damaged";
