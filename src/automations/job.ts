/** The engine's loop: looks for what is due, and works it off in slices that keep nobody else waiting. */
import type { Clock, Instant } from "#core/clock.ts";
import type { NewId } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import { yieldTurnsWhile } from "#scheduler/loop-turns.ts";
import type { Work } from "#work/pool.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { webhookCalls } from "#automations/run/calls.ts";
import { decideEnroll, entryFor } from "#automations/run/enroll.ts";
import { readyFlows } from "#automations/run/ready-flow.ts";
import { retryCrashAt, retryStepAt } from "#automations/run/retry.ts";
import type {
  AdmitRule,
  DueAutomation,
  RunRule,
  RunStore,
  Slice,
  SliceResult,
} from "#automations/run/run-store.ts";
import { fairRound } from "#automations/run/fair-round.ts";
import { decideTurn, turnNeeds } from "#automations/run/turn.ts";

/** One slice's work within the database, when nobody and when somebody is waiting for an answer. Others have their turn between two slices. */
const SLICE_MS = 4;
const SLICE_MS_AWAITED = 1.5;
const SLICE_ROWS_MAX = 500;
/** Mail somebody waits for takes about ten turns of the loop: few of them may have a slice in them. */
const TURNS_BETWEEN_SLICES = 2;
const TURNS_AWAITED = 12;
/** What is due is looked up again this often while there is much to do. */
const LOOK_AGAIN_MS = 100;
const CLEARED_ROWS = 300;

export function automationJob(parts: {
  runs: RunStore;
  workspaces: Pick<WorkspaceStore, "settings">;
  calls: ReturnType<typeof webhookCalls>;
  work: Pick<Work, "run">;
  /** Whether somebody is waiting for an answer right now. */
  isAwaited(): boolean;
  /** Has `run` called soon: a call has ended, and its run goes on. */
  wakeEngine(): void;
  /** Tells the sender that mail was planned. */
  wakeSender(): Promise<void>;
  clock: Clock;
  random: Random;
  newId: NewId;
  log: Log;
}) {
  const { runs, workspaces, calls, clock, random, newId, log } = parts;
  const flows = readyFlows(parts);
  const stop = new AbortController();
  /** Something that stays due could not be worked on: not again at once. */
  let inTrouble = false;
  /** When a workspace last had a slice, in slices. */
  const servedAt = new Map<string, number>();
  let slices = 0;

  const rest = () => yieldTurnsWhile(parts.isAwaited, TURNS_BETWEEN_SLICES, TURNS_AWAITED);

  const slice = (): Slice => {
    const startedMs = clock.monotonicMs();
    const budgetMs = parts.isAwaited() ? SLICE_MS_AWAITED : SLICE_MS;
    return {
      now: clock.now(),
      rowsMax: SLICE_ROWS_MAX,
      isOver: () => clock.monotonicMs() - startedMs >= budgetMs,
    };
  };

  /** One slice of one automation: first its triggers, then its runs. */
  const work = async (automation: DueAutomation): Promise<SliceResult[]> => {
    const ready = await flows.get(automation);
    if (ready === null) return [];
    const settings = await workspaces.settings(automation.workspaceId);
    const admitRule: AdmitRule = {
      entry: (trigger) => entryFor(ready.flow, trigger),
      enroll: ({ reenroll }, history, depth) => decideEnroll(reenroll, history, depth),
      newId: () => newId("enr"),
      retryAt: (attempts, firstAttemptAt) =>
        retryStepAt({ attempts, firstAttemptAt, now: clock.now(), jitter: random.fraction() }),
    };
    const runRule: RunRule = {
      needs: (nodeId) => turnNeeds(ready, nodeId),
      decide: (turn) => decideTurn(ready, settings, turn),
      jitter: () => random.fraction(),
      retryAt: (crashes) => retryCrashAt(crashes, clock.now()),
    };
    const results: SliceResult[] = [];
    if (automation.hasStarts) {
      const admitted = await runs.admit(automation, slice(), admitRule);
      results.push(admitted);
      if (admitted.stale) return results;
      await rest();
    }
    const callsMax = calls.free(automation.workspaceId);
    results.push(await runs.advance(automation, { ...slice(), callsMax }, runRule));
    return results;
  };

  const workOn = async (automation: DueAutomation): Promise<number> => {
    const results = await work(automation);
    for (const { calls: owed, crashes } of results) {
      for (const call of owed) calls.start(call, parts.wakeEngine);
      for (const error of crashes)
        log.error("a step of an automation threw; it is put off", { automation: automation.id, error });
    }
    if (results.some(({ mails }) => mails > 0)) await parts.wakeSender();
    return results.reduce((sum, { done }) => sum + done, 0);
  };

  /** An automation that cannot be worked on must not keep the others back. */
  const workSafely = (automation: DueAutomation): Promise<number> =>
    workOn(automation).catch((error: unknown) => {
      inTrouble = true;
      log.error("an automation could not be worked on", { automation: automation.id, error });
      return 0;
    });

  /** One look at what is due, and slices for it, in turn by workspace. False: nothing moved. */
  const round = async (signOfLife: () => void): Promise<boolean> => {
    const lookAgainMs = clock.monotonicMs() + LOOK_AGAIN_MS;
    const due = await runs.due(clock.now());
    const workspaceIds = new Set(due.map(({ workspaceId }) => workspaceId));
    for (const known of servedAt.keys()) if (!workspaceIds.has(known)) servedAt.delete(known);
    const next = fairRound(due, servedAt);
    let moved = false;
    for (let automation = next(); automation !== null && !stop.signal.aborted; automation = next()) {
      servedAt.set(automation.workspaceId, ++slices);
      if ((await workSafely(automation)) > 0) moved = true;
      signOfLife();
      await rest();
      if (clock.monotonicMs() > lookAgainMs) break;
    }
    return moved;
  };

  return {
    /** Works until nothing is due. */
    async run(signOfLife: () => void): Promise<void> {
      inTrouble = false;
      while (!stop.signal.aborted && ((await round(signOfLife)) || (await flows.oneMade()))) signOfLife();
      while (!stop.signal.aborted && (await runs.clearDeleted(CLEARED_ROWS))) signOfLife();
    },

    nextDueAt: async (): Promise<Instant | null> => (inTrouble ? null : await runs.nextDueAt()),

    /** No new slice; calls under way may end. */
    async stop(): Promise<void> {
      stop.abort();
      await calls.settled();
    },
  };
}
