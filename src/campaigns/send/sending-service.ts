/**
 * Sending a campaign: who may start it, and what the caller gets as an answer. `planning-service.ts` makes the
 * plan, and the sender (`src/deliveries/sender/sender.ts`) sends the messages.
 */
import { sleep, type Clock } from "#core/time/clock.ts";
import { errorOf } from "#core/errors/errors.ts";
import { isUnreachable } from "#core/errors/storage-error.ts";
import type { Sender } from "#deliveries/sender/sender.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { Log } from "#log.ts";
import { noSuchCampaign, ALREADY_SENT, type CampaignStatus } from "#campaigns/campaign.ts";
import { audienceOptions } from "./audience.ts";
import type { Planned, PlanOptions, PlanStore } from "./plan.ts";
import type { Planning } from "./planning-service.ts";
import type { SendControl } from "./send-control-service.ts";
import type { SendOptions } from "./send-input.ts";
import type { CampaignStore, StoredCampaign } from "#campaigns/store.ts";
import type { CampaignWarnings, WarningsOf } from "#campaigns/check/warning-service.ts";

/**
 * How long a call waits for the send to finish. Later messages are sent after the answer (docs/contract.md "Send
 * rules").
 */
const CALL_BUDGET_MS = 45_000;
const LOOK_EVERY_MS = 25;
/** How long the answer to a stop waits for the messages at their dot. A relay may take ten minutes for one. */
const DOTS_BUDGET_MS = 2_000;

/**
 * `sent` and `failed` count this call only. `remaining` is what is still owed; while the list is being
 * planned, it counts those planned so far.
 */
type SendAnswer = { sent: number; failed: number; remaining: number; complete: boolean };

export type CampaignSending = {
  /** Why a send in progress does not move now; null: it does. */
  readonly blockedBy: Sender["blockedBy"];
  readonly warningsAtHand: WarningsOf;

  /** Starts the send and returns at once. @throws AppError if it is refused */
  start(workspaceId: string, id: string, options: PlanOptions): Promise<void>;

  /**
   * `POST /campaigns/{id}/send`: starts the send, or continues one that nobody works on, and waits for it within
   * the call's budget. A repeated call mails nobody twice, and makes no retry earlier. `readOptions` is called only
   * after the campaign's state was checked.
   *
   * @throws AppError if it is refused
   */
  send(workspaceId: string, id: string, readOptions: () => Promise<SendOptions>): Promise<SendAnswer>;

  /** @throws AppError WRONG_STATE if no send is under way, as in the other two */
  pause(workspaceId: string, id: string): Promise<void>;
  resume(workspaceId: string, id: string): Promise<void>;
  /**
   * Returns when nothing is owed, nothing is at its dot, and the campaign is SENT; or after a while: then the rest
   * is done after the answer.
   */
  stop(workspaceId: string, id: string): Promise<void>;
};

type SendingParts = CampaignWarnings & {
  readonly campaigns: Pick<CampaignStore, "find">;
  readonly plans: Pick<PlanStore, "plannedSoFar">;
  readonly planning: Planning;
  readonly control: SendControl;
  readonly ledger: Pick<LedgerStore, "progress">;
  readonly sender: Pick<Sender, "wake" | "isActive" | "blockedBy">;
  readonly clock: Clock;
  readonly log: Log;
};

export const campaignSending = (parts: SendingParts): CampaignSending => new CampaignSends(parts);

class CampaignSends implements CampaignSending {
  readonly blockedBy: Sender["blockedBy"];
  readonly warningsAtHand: WarningsOf;
  /** Campaigns whose messages are counted by a call. Another call at the same time counts none of them. */
  readonly #counted = new Set<string>();

  constructor(private readonly parts: SendingParts) {
    this.blockedBy = parts.sender.blockedBy;
    this.warningsAtHand = parts.warningsAtHand;
  }

  async start(workspaceId: string, id: string, options: PlanOptions): Promise<void> {
    await this.#startOrJoin(workspaceId, id, options, () => undefined);
    await this.parts.sender.wake();
  }

  async send(workspaceId: string, id: string, readOptions: () => Promise<SendOptions>): Promise<SendAnswer> {
    const { clock, ledger } = this.parts;
    throwIfSent((await this.#find(workspaceId, id)).campaign.status);
    const options = { ...(await readOptions()), scheduledAt: null };
    // Again: reading many addresses takes turns, in which others may have begun the send.
    const found = await this.#find(workspaceId, id);
    if (found.paused !== null)
      return { ...NOTHING, remaining: await this.#owed(id, found.mailing), complete: false };
    const counts = !this.#isBeingSent(id, found.mailing);
    const deadlineMs = clock.monotonicMs() + CALL_BUDGET_MS;
    if (counts) this.#counted.add(id);
    try {
      const start = (begun: () => void) => this.#startOrJoin(workspaceId, id, options, begun);
      const mailing = await this.#inTime(id, start, deadlineMs);
      if (mailing === null) return { ...NOTHING, remaining: await this.#owed(id, null), complete: false };
      const before = found.mailing === null ? NOTHING : settledIn(await ledger.progress(mailing));
      const counted = counts ? await this.#sendAndCount(mailing, before, deadlineMs) : NOTHING;
      const remaining = await this.#owed(id, mailing);
      return { ...counted, remaining, complete: remaining === 0 };
    } finally {
      if (counts) this.#counted.delete(id);
    }
  }

  async pause(workspaceId: string, id: string): Promise<void> {
    await this.parts.control.pause(workspaceId, id);
    await this.parts.sender.wake();
  }

  async resume(workspaceId: string, id: string): Promise<void> {
    const { control, planning, sender } = this.parts;
    await control.resume(workspaceId, id);
    await planning.lookAfter(() => void sender.wake().catch(() => undefined));
    await sender.wake();
  }

  async stop(workspaceId: string, id: string): Promise<void> {
    const { control, sender, clock, ledger } = this.parts;
    const { skipped } = await control.stop(workspaceId, id);
    await sender.wake();
    await this.#within(skipped, clock.monotonicMs() + CALL_BUDGET_MS);
    const deadlineMs = clock.monotonicMs() + DOTS_BUDGET_MS;
    const { mailing } = await this.#find(workspaceId, id);
    // PostgreSQL finishes a send in its own transaction, after that of the last message.
    const isUnfinished = async (): Promise<boolean> =>
      mailing !== null && (await ledger.progress(mailing)).phase !== "finished";
    while ((await isUnfinished()) && clock.monotonicMs() < deadlineMs) await sleep(clock, LOOK_EVERY_MS);
  }

  /**
   * How many are still owed; while the list is being planned, how many are planned so far. If the send was stopped, or
   * its campaign deleted, nobody gets anything any more, although it takes a while until their rows say so.
   */
  async #owed(id: string, mailing: number | null): Promise<number> {
    const { plans, ledger } = this.parts;
    if (mailing === null) return plans.plannedSoFar(id);
    const { phase, remaining } = await ledger.progress(mailing);
    return phase === "stopped" ? 0 : remaining;
  }

  /** Plans the send, unless it is planned already or another call is planning it. `begun`: see `Planning.begun`. */
  async #startOrJoin(
    workspaceId: string,
    id: string,
    options: PlanOptions,
    begun: () => void,
  ): Promise<Planned> {
    const { planning } = this.parts;
    const found = await this.#checked(workspaceId, id, options);
    if (found.mailing !== null) return found.mailing;
    const audience = { ...audienceOptions(found.options), listId: found.campaign.listId };
    const plan = planning.plan(workspaceId, id, { ...options, audience });
    void planning.begun(id).then(begun);
    return await plan.catch(async (error: unknown) => {
      // Deleted meanwhile: it cannot be sent again, as a plan's refusal may say.
      await this.#find(workspaceId, id);
      throw error;
    });
  }

  /** The campaign, if its send is under way or nothing stands in its way. */
  async #checked(workspaceId: string, id: string, options: PlanOptions): Promise<StoredCampaign> {
    const { planning } = this.parts;
    const found = await this.#find(workspaceId, id);
    throwIfSent(found.campaign.status);
    if (found.mailing !== null) return found;
    await planning.checkGuardrails(workspaceId, found, options);
    if (!planning.isMaking(id)) await this.#warn(workspaceId, id);
    return found;
  }

  /**
   * Waits for a plan until the call's budget is over; then null. The plan of a very long list continues, even after
   * a restart, and is sent once it is complete. If it is refused then, it leaves nothing behind, and the next call
   * says why. A plan that has not begun by then is waited for: it is kept nowhere yet, so an answer would promise what
   * the end of this server could break.
   */
  async #inTime(
    id: string,
    start: (begun: () => void) => Promise<Planned>,
    deadlineMs: number,
  ): Promise<Planned> {
    const { planning, sender, log } = this.parts;
    const begun = Promise.withResolvers<void>();
    const plan = start(begun.resolve);
    const mailing = await this.#within(plan, deadlineMs);
    if (mailing !== null) return mailing;
    await Promise.race([plan, begun.promise]);
    if (!planning.promise(id)) return await plan;
    plan.then(
      () => sender.wake().catch(() => undefined),
      (error: unknown) => {
        if (!isUnreachable(error))
          log.warn("a send that was promised to its caller was given up", { campaign: id, error });
      },
    );
    return null;
  }

  /** The promise's result; null if the time is over first. */
  #within<T>(promise: Promise<T>, deadlineMs: number): Promise<T | null> {
    const { clock } = this.parts;
    const late = Promise.withResolvers<null>();
    const cancel = clock.setTimer(deadlineMs - clock.monotonicMs(), () => late.resolve(null));
    return Promise.race([promise, late.promise]).finally(cancel);
  }

  /** Lets the sender work on the mailing until it is done or the budget is over; returns how many were settled. */
  async #sendAndCount(mailing: number, before: Settled, deadlineMs: number): Promise<Settled> {
    const { sender, clock, ledger } = this.parts;
    await sender.wake();
    while (sender.isActive(mailing) && clock.monotonicMs() < deadlineMs) await sleep(clock, LOOK_EVERY_MS);
    const now = settledIn(await ledger.progress(mailing));
    // An uncertain message that was opened meanwhile no longer counts as failed.
    return { sent: now.sent - before.sent, failed: Math.max(0, now.failed - before.failed) };
  }

  /** Whether another call, a schedule or the sender is working on the campaign. */
  #isBeingSent(id: string, mailing: number | null): boolean {
    const { planning, sender } = this.parts;
    return this.#counted.has(id) || planning.isMaking(id) || (mailing !== null && sender.isActive(mailing));
  }

  async #warn(workspaceId: string, id: string): Promise<void> {
    for (const warning of await this.parts.warningsOf(workspaceId, id))
      this.parts.log.warn("a campaign has a warning", { campaign: id, warning });
  }

  async #find(workspaceId: string, id: string): Promise<StoredCampaign> {
    const found = await this.parts.campaigns.find(workspaceId, id);
    if (!found) throw noSuchCampaign(id);
    return found;
  }
}

type Settled = { readonly sent: number; readonly failed: number };
const NOTHING: Settled = { sent: 0, failed: 0 };

/** What a call counts: `failed` are all messages that were tried and are not known to have arrived. */
const settledIn = (progress: {
  accepted: number;
  failed: number;
  bounced: number;
  uncertain: number;
}): Settled => ({
  sent: progress.accepted,
  failed: progress.failed + progress.bounced + progress.uncertain,
});

function throwIfSent(status: CampaignStatus): void {
  if (status === "SENT") throw errorOf(ALREADY_SENT);
}
