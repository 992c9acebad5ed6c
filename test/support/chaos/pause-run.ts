/**
 * Sends one campaign by a server that is paused, resumed and killed at random, by a process beside it; in the end
 * it is resumed, or stopped. Then every recipient must be accounted for.
 */
import type { Subprocess } from "bun";
import { openServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../common/silent-log.ts";
import {
  audit,
  count,
  runToTheEnd,
  startServer,
  throwIfEnded,
  withCampaign,
  type Run,
  type RunOptions,
} from "./kill-run.ts";

type PauseFigures = ReturnType<typeof audit> & {
  pauses: number;
  kills: number;
  /** Messages that were sent after a pause was answered, except those at their dot at that moment. */
  sentWhilePaused: number;
  stopped: number;
};

type PauseRunOptions = RunOptions & {
  /** How often it is paused; it is killed about as often, before the resume or after it. */
  readonly rounds: number;
  /** About how many are sent between two pauses. */
  readonly messages: number;
  readonly endsBy: "resume" | "stop";
};

export async function pauseRun(options: PauseRunOptions): Promise<PauseFigures> {
  return await withCampaign(options, async (run) => {
    const control = controlOf(run);
    let sentWhilePaused = 0;
    let kills = 0;
    let server = startServer(run);
    const restart = async (): Promise<void> => {
      server.kill("SIGKILL");
      await server.exited;
      kills++;
      server = startServer(run);
    };
    try {
      for (let round = 0; round < options.rounds; round++) {
        await moreAccepted(run, server, Math.floor(run.random() * 2 * options.messages));
        sentWhilePaused += await pauseOnce(run, control, run.random() < 0.5 ? restart : null);
        await control.act("resume");
        if (run.random() < 0.5) await restart();
      }
      if (options.endsBy === "stop") await stopAndKill(run, control, restart);
    } finally {
      server.kill("SIGKILL");
      await server.exited;
      await control.close();
    }
    await runToTheEnd(run);
    const stopped = count(run.database, "state = 'skipped' AND reason = 'STOPPED'");
    return { ...audit(run), pauses: options.rounds, kills, sentWhilePaused, stopped };
  });
}

type Control = ReturnType<typeof controlOf>;

/** As the command line does it: a process of its own beside the server. */
function controlOf({ campaign }: Run) {
  const services = openServices(campaign.dataDir, {
    clock: systemClock,
    random: systemRandom,
    log: SILENT_LOG,
  });
  services.database.writes.lockWaitMs = 60_000;
  const { workspaceId, campaignId } = campaign;
  return {
    act: (action: "pause" | "resume"): Promise<void> =>
      services.sendControl[action](workspaceId, campaignId).catch(ignoreIfOver),
    /** Marks it as stopped; the server skips the rows. */
    stop: async (): Promise<void> => {
      const stopping = services.sendControl.stop(workspaceId, campaignId);
      await Promise.race([stopping, services.sendControl.end()]);
      await stopping.catch(ignoreIfOver);
    },
    close: services.close,
  };
}

/** At the end of a run there may be nothing left to pause. */
function ignoreIfOver(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "WRONG_STATE")) throw error;
}

const isSent = ({ database }: Run): boolean =>
  database.query<{ status: string }, []>("SELECT status FROM campaigns").get()?.status === "SENT";

/** Waits until the relay took so many more, or everybody got theirs. */
async function moreAccepted(run: Run, server: Subprocess, more: number): Promise<void> {
  const target = run.relay.accepted.length + more;
  while (run.relay.accepted.length <= target && !isSent(run)) {
    throwIfEnded(server);
    await Bun.sleep(1);
  }
}

/** Pauses, lets time pass, perhaps with a restart, and returns how many messages were sent although they must not be. */
async function pauseOnce(run: Run, control: Control, restart: (() => Promise<void>) | null): Promise<number> {
  await control.act("pause");
  const most = run.relay.accepted.length + count(run.database, "state = 'dot'");
  await restart?.();
  await Bun.sleep(run.random() * 300);
  return Math.max(0, run.relay.accepted.length - most);
}

async function stopAndKill(run: Run, control: Control, restart: () => Promise<void>): Promise<void> {
  await control.stop();
  for (let kill = 0; kill < 3; kill++) {
    await Bun.sleep(run.random() * 200);
    await restart();
  }
}
