/** Sending a campaign: guardrails, the plan, and what the caller is told. The messages themselves are the sender's. */
import { sleep, type Clock } from "#core/clock.ts";
import { AppError, notFound, type Refusal } from "#core/errors.ts";
import { contentUnder } from "#deliveries/mailing-content.ts";
import type { Sender } from "#deliveries/service.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { localTime } from "#workspaces/local-time.ts";
import { isQuiet } from "#workspaces/quiet-hours.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { ALREADY_SENT, type CampaignStatus } from "./campaign.ts";
import { checkAudience, checkBeforePlan } from "./guardrails.ts";
import type { Plan, PlanOptions, PlanStore } from "./plan.ts";
import { slices } from "./plan-slices.ts";
import type { SendOptions } from "./send-input.ts";
import type { CampaignStore, StoredCampaign } from "./store.ts";

/** A call waits this long for the send to finish; the rest goes out without it (contract, "Send rules"). */
const CALL_BUDGET_MS = 45_000;
const LOOK_EVERY_MS = 25;

/** `sent` and `failed` count this call only; `remaining` is what is still owed: of a list still being planned, as far as that has come. */
export type SendAnswer = { sent: number; failed: number; remaining: number; complete: boolean };

export type CampaignSending = ReturnType<typeof campaignSending>;

export function campaignSending(parts: {
  campaigns: CampaignStore;
  plans: PlanStore;
  ledger: LedgerStore;
  workspaces: Pick<WorkspaceStore, "settings">;
  sender: Pick<Sender, "wake" | "isActive" | "blockedBy">;
  clock: Clock;
}) {
  const { campaigns, plans, ledger, workspaces, sender, clock } = parts;
  /** Plans being made by this server, by campaign: whoever asks meanwhile waits for the same one. */
  const planning = new Map<string, Promise<number>>();
  /** Campaigns a call waits for: what goes out meanwhile is that call's to count. */
  const waitedFor = new Set<string>();

  const find = async (workspaceId: string, id: string): Promise<StoredCampaign> => {
    const found = await campaigns.find(workspaceId, id);
    if (!found) throw notFound("The campaign");
    return found;
  };

  const checkGuardrails = async (
    workspaceId: string,
    found: StoredCampaign,
    options: SendOptions,
  ): Promise<void> => {
    const settings = await workspaces.settings(workspaceId);
    throwIf(
      checkBeforePlan({
        ...settings,
        status: found.campaign.status,
        listId: found.campaign.listId,
        quiet: isQuiet(clock.now(), settings.quietHours, settings.timezone),
        overrideQuietHours: options.overrideQuietHours,
      }),
    );
  };

  /** Completes a plan, or takes it back: one that is refused or cannot be written leaves nothing behind. */
  const finishPlan = async (plan: Plan): Promise<number> => {
    try {
      await completePlan(plan);
    } catch (error) {
      // Best effort: what is left is taken back before the next plan of this campaign.
      await takeBack(plan).catch(() => undefined);
      throw error;
    }
    return plan.number;
  };

  const takeBack = async (plan: Plan): Promise<void> => {
    await slices(clock)(async (rowsMax) => ((await plans.abandon(plan, rowsMax)) ? "end" : "more"));
  };

  const walkList = async (plan: Plan): Promise<void> => {
    const [gatherInSlices, planInSlices] = [slices(clock), slices(clock)];
    while ((await gatherInSlices((rowsMax) => plans.gather(plan, rowsMax))) !== "end") {
      await planInSlices((rowsMax) => plans.advance(plan, rowsMax));
    }
  };

  const completePlan = async (plan: Plan): Promise<void> => {
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

  const planOnce = (id: string, makePlan: () => Promise<number>): Promise<number> => {
    const plan = makePlan().finally(() => planning.delete(id));
    planning.set(id, plan);
    return plan;
  };

  /** Plans the send, unless it is planned already or being planned for somebody else. Returns the mailing. */
  const startOrJoin = async (workspaceId: string, id: string, options: StartOptions): Promise<number> => {
    const found = await find(workspaceId, id);
    throwIfSent(found.campaign.status);
    if (found.mailing !== null) return found.mailing;
    await checkGuardrails(workspaceId, found, options);
    return planning.get(id) ?? planOnce(id, () => planAnew(workspaceId, id, options));
  };

  const planAnew = async (workspaceId: string, id: string, options: StartOptions): Promise<number> => {
    // What a plan that could not be taken back left: planned for other people, perhaps, or with other exclusions.
    const leftover = await plans.leftover(workspaceId, id);
    if (leftover) await takeBack(leftover);
    const plan = await plans.begin(workspaceId, id, options, clock.now());
    if (plan) return finishPlan(plan);
    const { mailing } = await find(workspaceId, id);
    if (mailing !== null) return mailing;
    throw changedMeanwhile();
  };

  /** Where another run holds the campaign, the answer only says what remains. */
  const isHeld = (id: string, mailing: number | null): boolean =>
    waitedFor.has(id) || planning.has(id) || (mailing !== null && sender.isActive(mailing));

  /** Has the sender work on the mailing, and returns what that came to within the call's budget. */
  const sendAndCount = async (mailing: number, before: Settled, deadlineMs: number): Promise<Settled> => {
    await sender.wake();
    while (sender.isActive(mailing) && clock.monotonicMs() < deadlineMs) await sleep(clock, LOOK_EVERY_MS);
    const now = settledIn(await ledger.progress(mailing));
    // An uncertain message somebody opened meanwhile counts as failed no longer.
    return { sent: now.sent - before.sent, failed: Math.max(0, now.failed - before.failed) };
  };

  /** Null where a very long list is not planned in time: its plan goes on, and is sent once it is complete. */
  const inTime = async (plan: Promise<number>, deadlineMs: number): Promise<number | null> => {
    const late = Promise.withResolvers<null>();
    const cancel = clock.setTimer(deadlineMs - clock.monotonicMs(), () => late.resolve(null));
    const mailing = await Promise.race([plan, late.promise]).finally(cancel);
    // Refused after all, it leaves nothing behind, and the next call says why.
    if (mailing === null) plan.then(sender.wake, () => undefined);
    return mailing;
  };

  return {
    blockedBy: sender.blockedBy,

    /** Goes on with a plan a killed server left. */
    resume: (plan: Plan): Promise<number> => planOnce(plan.campaignId, () => finishPlan(plan)),

    /** Starts the send and returns at once; refusals are thrown. */
    async start(workspaceId: string, id: string, options: StartOptions): Promise<void> {
      await startOrJoin(workspaceId, id, options);
      await sender.wake();
    },

    /**
     * `POST /campaigns/{id}/send`: starts the send, or carries on one that nobody holds, and waits for it within the call's
     * budget. A repeated call never mails anyone twice and shortens no retry's pause.
     */
    async send(workspaceId: string, id: string, readOptions: () => SendOptions): Promise<SendAnswer> {
      const found = await find(workspaceId, id);
      throwIfSent(found.campaign.status);
      const options = { ...readOptions(), scheduledAt: null };
      const held = isHeld(id, found.mailing);
      const deadlineMs = clock.monotonicMs() + CALL_BUDGET_MS;
      if (!held) waitedFor.add(id);
      try {
        const mailing = await inTime(startOrJoin(workspaceId, id, options), deadlineMs);
        if (mailing === null) return { ...NOTHING, remaining: await plans.plannedSoFar(id), complete: false };
        const before = found.mailing === null ? NOTHING : settledIn(await ledger.progress(mailing));
        const counted = held ? NOTHING : await sendAndCount(mailing, before, deadlineMs);
        const { remaining } = await ledger.progress(mailing);
        return { ...counted, remaining, complete: remaining === 0 };
      } finally {
        if (!held) waitedFor.delete(id);
      }
    },
  };
}

type StartOptions = SendOptions & PlanOptions;
type Settled = { readonly sent: number; readonly failed: number };
const NOTHING: Settled = { sent: 0, failed: 0 };

/** What a call counts: `failed` is everybody who was tried and is not known to have got it. */
const settledIn = (progress: { accepted: number; failed: number; bounced: number; uncertain: number }) => ({
  sent: progress.accepted,
  failed: progress.failed + progress.bounced + progress.uncertain,
});

const changedMeanwhile = (): AppError =>
  new AppError("VALIDATION_ERROR", "The campaign was changed while its send was prepared. Send it again.");

function throwIf(refusal: Refusal | null): void {
  if (refusal) throw new AppError(refusal.code, refusal.message);
}

function throwIfSent(status: CampaignStatus): void {
  if (status === "SENT") throwIf(ALREADY_SENT);
}
