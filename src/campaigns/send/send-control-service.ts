import { noSuchCampaign } from "#campaigns/campaign.ts";
import type { Clock } from "#core/time/clock.ts";
import { unwrap, type Result } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { CutOff } from "./cut-off.ts";
import { slices } from "./plan-slices.ts";
import { PAUSED_BY_PERSON, type SendControlStore, type StoppedSend } from "./send-control.ts";

/** Pauses, resumes and stops sends (send-control.ts), in a server or in another process beside it. */
export type SendControl = {
  /** @throws AppError WRONG_STATE if no send is under way, as in the other two */
  pause(workspaceId: string, id: string): Promise<void>;
  /** The caller has to wake the sender and the planner. */
  resume(workspaceId: string, id: string): Promise<void>;
  /** From now on no message is claimed. `skipped` resolves when nothing is owed any more, or when this process ends. */
  stop(workspaceId: string, id: string): Promise<{ readonly skipped: Promise<void> }>;
  /** Continues the stops that a process left unfinished. This waits for none of them. */
  lookAfter(): Promise<void>;
  /** The stops under way end after their current slice. */
  end(): Promise<void>;
};

type Parts = { readonly sends: SendControlStore; readonly clock: Clock; readonly log: Log };

export function sendControl({ sends, clock, log }: Parts): SendControl {
  /** The stopped sends whose rows are being skipped, by mailing. */
  const skipping = new Map<number, Promise<void>>();
  const closing = new AbortController();

  const skipAll = async ({ number, campaignId }: StoppedSend): Promise<void> => {
    try {
      const inSlices = slices(clock, closing.signal);
      await inSlices((rowsMax) => sends.skipOwed(number, rowsMax, clock.now()), "more");
    } catch (error) {
      if (!(error instanceof CutOff))
        log.warn("a stopped campaign cannot be brought to its end yet", { campaign: campaignId, error });
    }
  };

  const skip = (stopped: StoppedSend): Promise<void> => {
    const { number } = stopped;
    const run = skipping.get(number) ?? skipAll(stopped).finally(() => skipping.delete(number));
    skipping.set(number, run);
    return run;
  };

  return {
    pause: async (workspaceId, id) => void done(id, await sends.pause(workspaceId, id, PAUSED_BY_PERSON)),
    resume: async (workspaceId, id) => void done(id, await sends.resume(workspaceId, id)),
    async stop(workspaceId, id) {
      const stopped = done(id, await sends.stop(workspaceId, id, clock.now()));
      return { skipped: skip(stopped) };
    },
    async lookAfter() {
      if (closing.signal.aborted) return;
      for (const stopped of await sends.stopped()) void skip(stopped);
    },
    async end() {
      closing.abort();
      await Promise.all(skipping.values());
    },
  };
}

function done<T>(id: string, outcome: Result<T> | null): T {
  if (outcome === null) throw noSuchCampaign(id);
  return unwrap(outcome);
}
