import type { Clock, Instant } from "#core/time/clock.ts";
import { yieldTurns } from "#core/time/event-loop.ts";
import { AppError, refusalIn } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { LATENESS_MAX_MS, TOO_LATE, TRY_AGAIN_MS } from "#campaigns/send/guardrails.ts";
import type { DueCampaign, PlanStore } from "#campaigns/send/plan.ts";
import type { Planning } from "#campaigns/send/planning-service.ts";
import type { SendControl } from "#campaigns/send/send-control-service.ts";
import type { CampaignSending } from "#campaigns/send/sending-service.ts";

/** How many campaigns are begun in one turn of the event loop: some milliseconds. */
const BEGUN_AT_ONCE = 8;

/** Starts SCHEDULED campaigns at their time, and handles plans and stops that an earlier server left. */
export function campaignJob(parts: {
  plans: PlanStore;
  planning: Pick<Planning, "lookAfter">;
  sending: CampaignSending;
  control: Pick<SendControl, "lookAfter">;
  /** Pauses campaigns of workspaces whose rates are too high; true if it paused one. */
  autoPause(): Promise<boolean>;
  wakeSender(): Promise<void>;
  clock: Clock;
  log: Log;
}) {
  const { plans, planning, sending, clock, log } = parts;
  /** Campaigns that are being planned. A long list must not make other campaigns start late. */
  const starting = new Map<string, Promise<void>>();

  const start = async (due: DueCampaign): Promise<void> => {
    const { workspaceId, campaignId, scheduledAt } = due;
    const now = clock.now();
    if (now - due.dueAt > LATENESS_MAX_MS) {
      await plans.hold(due, TOO_LATE);
      log.warn("a schedule is held: its time was more than 24 hours ago", { campaign: campaignId });
      return;
    }
    try {
      await sending.start(workspaceId, campaignId, {
        excludeEmails: [],
        overrideQuietHours: false,
        scheduledAt,
      });
      log.info("a scheduled campaign is being sent", { campaign: campaignId });
    } catch (error) {
      const reason = refusalIn(error).message;
      const isNew = await plans.postpone(due, reason, now + TRY_AGAIN_MS);
      const why = error instanceof AppError ? { reason } : { error };
      if (isNew) log.warn("a scheduled campaign has to wait", { campaign: campaignId, ...why });
    }
  };

  return {
    async run(): Promise<void> {
      // First, so that a campaign that is due continues the plan that was begun for it.
      // If it cannot be woken now, the scheduler wakes it soon.
      await planning.lookAfter(() => void parts.wakeSender().catch(() => undefined));
      await parts.control.lookAfter();
      for (const campaign of await plans.endHolds(TOO_LATE, clock.now()))
        log.warn("a schedule is held no longer: the clock was ahead when it was held", { campaign });
      for (const [i, due] of (await plans.due(clock.now(), 100)).entries()) {
        // A hundred that are due in one second would hold everybody up, if they were begun in one piece.
        if (i > 0 && i % BEGUN_AT_ONCE === 0) await yieldTurns(1);
        const { campaignId } = due;
        if (starting.has(campaignId)) continue;
        const run = start(due)
          .catch((error: unknown) =>
            log.error("a scheduled campaign was not started", { campaign: campaignId, error }),
          )
          .finally(() => starting.delete(campaignId));
        starting.set(campaignId, run);
      }
      if (await parts.autoPause()) await parts.wakeSender();
    },

    /** Unknown while a campaign is being started, because it still counts as due. */
    nextDueAt: async (): Promise<Instant | null> => (starting.size > 0 ? null : plans.nextDueAt()),
  };
}
