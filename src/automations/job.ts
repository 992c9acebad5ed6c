/** The loop of automations: looks for due work and does it in slices, so that nobody else waits long. */
import type { Clock, Instant } from "#core/time/clock.ts";
import { watchForSetBack } from "#core/time/set-back.ts";
import type { NewId } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import type { Work } from "#work/pool.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { automationWork } from "#automations/run/automation-work.ts";
import { endedHolds } from "#automations/run/ended-holds.ts";
import type { webhookCalls } from "#automations/run/calls.ts";
import { fairRounds } from "#automations/run/fair-round.ts";
import { patientWork } from "#automations/run/patient-work.ts";
import { readyFlows } from "#automations/run/ready-flow.ts";
import type { DueAutomation, RunStore } from "#automations/run/store.ts";
import { slicing } from "#automations/run/slicing.ts";

/** While there is much to do, due work is looked up again this often. */
const LOOK_AGAIN_MS = 100;
/** And for so long starts are made of triggers before that. */
const SPREAD_MS = 50;
/** Rows of deleted automations are cleared so many at once, and for so long before due work is looked up again. */
const CLEARED_ROWS = 300;
const CLEAR_MS = 20;

type Parts = {
  readonly runs: RunStore;
  readonly workspaces: Pick<WorkspaceStore, "settings" | "revision">;
  readonly calls: ReturnType<typeof webhookCalls>;
  readonly work: Pick<Work, "run">;
  /** Whether requests are being answered now. */
  hasRequests(): boolean;
  /** Makes `run` be called soon. */
  wakeRuns(): void;
  /** Tells the sender that there is new mail. */
  wakeSender(): Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
};

export function automationJob(parts: Parts) {
  const { runs, calls, clock } = parts;
  const flows = readyFlows(parts);
  const slices = slicing(parts);
  const work = patientWork(automationWork({ ...parts, flows, slices }), parts);
  const spread = spreading(parts, slices);
  const endHolds = endedHolds({ ...parts, slices });
  const nextRound = fairRounds<DueAutomation>();
  const stop = new AbortController();
  /** True: an automation failed and is still due, but it is not tried again at once. */
  let inTrouble = false;
  /** True: rows of deleted automations are left. */
  let isClearing = false;
  const drawIn = drawingIn(parts);

  /** An automation that fails must not delay the others. */
  const workSafely = async (automation: DueAutomation): Promise<number> => {
    const moved = await work.on(automation);
    if (moved !== "failed") return moved;
    inTrouble = true;
    return 0;
  };

  /** Looks once for due work and does it; workspaces take turns. Returns false if nothing moved. */
  const round = async (signOfLife: () => void): Promise<boolean> => {
    await drawIn();
    let moved = await endHolds(signOfLife, stop.signal);
    if (await spread(signOfLife, stop.signal)) moved = true;
    const lookAgainMs = clock.monotonicMs() + LOOK_AGAIN_MS;
    const due = await runs.due(clock.now());
    work.onlyThoseOf(due);
    const next = nextRound(due);
    for (let automation = next(); automation !== null && !stop.signal.aborted; automation = next()) {
      if ((await workSafely(automation)) > 0) moved = true;
      signOfLife();
      await slices.pause();
      if (clock.monotonicMs() > lookAgainMs) break;
    }
    return moved;
  };

  /** Clears for a short time only: a million rows take a minute, and what falls due meanwhile has its turn. */
  const clear = async (signOfLife: () => void): Promise<void> => {
    const overMs = clock.monotonicMs() + CLEAR_MS;
    do {
      isClearing = !stop.signal.aborted && (await runs.clearDeleted(CLEARED_ROWS));
      signOfLife();
    } while (isClearing && clock.monotonicMs() < overMs);
  };

  return {
    /** Works until nothing is due, and then clears. */
    async run(signOfLife: () => void): Promise<void> {
      inTrouble = false;
      while (!stop.signal.aborted && ((await round(signOfLife)) || (await flows.oneMade()))) signOfLife();
      await clear(signOfLife);
    },

    async nextDueAt(): Promise<Instant | null> {
      if (inTrouble) return null;
      return isClearing ? clock.now() : await runs.nextDueAt();
    },

    /** Why nobody moves in an automation, as of its last try; null: nothing was wrong. */
    stopped: work.stopped,

    /** Starts no new slice. Calls that are in progress may finish. */
    async stop(): Promise<void> {
      stop.abort();
      await calls.settled();
    },
  };
}

/** What the clock put off too far while it was wrong is found, and due. */
function drawingIn({ runs, clock }: Parts): () => Promise<void> {
  const wasSetBack = watchForSetBack(clock);
  let isOwed = false;
  return async () => {
    isOwed ||= wasSetBack();
    if (!isOwed) return;
    await runs.drawIn(clock.now());
    isOwed = false;
  };
}

/** Makes starts of triggers that wait for it. For a short time only: those that are made have their turn. */
function spreading({ runs, clock }: Parts, { slice, pause }: ReturnType<typeof slicing>) {
  return async (signOfLife: () => void, stop: AbortSignal): Promise<boolean> => {
    const overMs = clock.monotonicMs() + SPREAD_MS;
    let made = false;
    while (!stop.aborted && (await runs.spread(slice())) > 0) {
      made = true;
      signOfLife();
      await pause();
      if (clock.monotonicMs() > overMs) break;
    }
    return made;
  };
}
