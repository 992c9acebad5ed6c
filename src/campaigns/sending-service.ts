/** Sending a campaign: who starts it, and what the caller is told. The plan is `planning-service.ts`'s, the messages are the sender's. */
import { sleep, type Clock } from "#core/clock.ts";
import { AppError, notFound, type Refusal } from "#core/errors.ts";
import type { Sender } from "#deliveries/sender/sender.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { Log } from "#log.ts";
import { ALREADY_SENT, type CampaignStatus } from "./campaign.ts";
import type { PlanOptions, PlanStore } from "./plan.ts";
import type { Planned, Planning } from "./planning-service.ts";
import type { SendOptions } from "./send-input.ts";
import type { CampaignStore, StoredCampaign } from "./store.ts";
import type { WarningsOf } from "./warning-service.ts";

/** A call waits this long for the send to finish; the rest goes out without it (docs/contract.md "Send rules"). */
const CALL_BUDGET_MS = 45_000;
const LOOK_EVERY_MS = 25;

/** `sent` and `failed` count this call only; `remaining` is what is still owed: of a list still being planned, as far as that has come. */
export type SendAnswer = { sent: number; failed: number; remaining: number; complete: boolean };

export type CampaignSending = ReturnType<typeof campaignSending>;

export function campaignSending(parts: {
  campaigns: CampaignStore;
  plans: Pick<PlanStore, "plannedSoFar">;
  planning: Planning;
  ledger: LedgerStore;
  sender: Pick<Sender, "wake" | "isActive" | "blockedBy">;
  warningsOf: WarningsOf;
  clock: Clock;
  log: Log;
}) {
  const { campaigns, plans, planning, ledger, sender, warningsOf, clock, log } = parts;
  /** Campaigns a call waits for: what goes out meanwhile is that call's to count. */
  const waitedFor = new Set<string>();

  const find = async (workspaceId: string, id: string): Promise<StoredCampaign> => {
    const found = await campaigns.find(workspaceId, id);
    if (!found) throw notFound("The campaign");
    return found;
  };

  /** Plans the send, unless it is planned already or being planned for somebody else. */
  const startOrJoin = async (workspaceId: string, id: string, options: PlanOptions): Promise<Planned> => {
    const found = await find(workspaceId, id);
    throwIfSent(found.campaign.status);
    if (found.mailing !== null) return found.mailing;
    await planning.checkGuardrails(workspaceId, found, options);
    if (!planning.isMaking(id)) await warn(workspaceId, id);
    return await planning.plan(workspaceId, id, options);
  };

  const warn = async (workspaceId: string, id: string): Promise<void> => {
    for (const warning of await warningsOf(workspaceId, id))
      log.warn("a campaign's letter may not be what is meant", { campaign: id, warning });
  };

  /** Where another run holds the campaign, the answer only says what remains. */
  const isHeld = (id: string, mailing: number | null): boolean =>
    waitedFor.has(id) || planning.isMaking(id) || (mailing !== null && sender.isActive(mailing));

  /** Has the sender work on the mailing, and returns what that came to within the call's budget. */
  const sendAndCount = async (mailing: number, before: Settled, deadlineMs: number): Promise<Settled> => {
    await sender.wake();
    while (sender.isActive(mailing) && clock.monotonicMs() < deadlineMs) await sleep(clock, LOOK_EVERY_MS);
    const now = settledIn(await ledger.progress(mailing));
    // An uncertain message somebody opened meanwhile counts as failed no longer.
    return { sent: now.sent - before.sent, failed: Math.max(0, now.failed - before.failed) };
  };

  /** Null where a very long list is not planned in time: its plan goes on, if need be after a restart, and is sent once it is complete. */
  const inTime = async (plan: Promise<Planned>, deadlineMs: number): Promise<Planned> => {
    const late = Promise.withResolvers<null>();
    const cancel = clock.setTimer(deadlineMs - clock.monotonicMs(), () => late.resolve(null));
    const mailing = await Promise.race([plan, late.promise]).finally(cancel);
    // Refused after all, it leaves nothing behind, and the next call says why.
    if (mailing === null) plan.then(sender.wake, () => undefined);
    return mailing;
  };

  return {
    blockedBy: sender.blockedBy,
    warningsOf,

    /** Starts the send and returns at once; refusals are thrown. */
    async start(workspaceId: string, id: string, options: PlanOptions): Promise<void> {
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

type Settled = { readonly sent: number; readonly failed: number };
const NOTHING: Settled = { sent: 0, failed: 0 };

/** What a call counts: `failed` is everybody who was tried and is not known to have got it. */
const settledIn = (progress: { accepted: number; failed: number; bounced: number; uncertain: number }) => ({
  sent: progress.accepted,
  failed: progress.failed + progress.bounced + progress.uncertain,
});

function throwIf(refusal: Refusal | null): void {
  if (refusal) throw new AppError(refusal.code, refusal.message);
}

function throwIfSent(status: CampaignStatus): void {
  if (status === "SENT") throwIf(ALREADY_SENT);
}
