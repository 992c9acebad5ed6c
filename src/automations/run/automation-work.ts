import type { Clock } from "#core/time/clock.ts";
import type { NewId } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import type { Log } from "#log.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { callPauses } from "./call-pauses.ts";
import type { webhookCalls } from "./calls.ts";
import { decideEnroll, entryFor } from "./enroll.ts";
import type { readyFlows } from "./ready-flow.ts";
import { retryCrashAt, retryStartAt } from "#automations/run/step/retry.ts";
import type { OwedCall, RunRule } from "#automations/run/step/node-performance.ts";
import type { AdmitRule, DueAutomation, RunStore, SliceResult } from "./store.ts";
import type { slicing } from "./slicing.ts";
import { decideStep, stepNeeds, type ReadyFlow } from "#automations/run/step/decision.ts";

type Chance = { readonly clock: Clock; readonly random: Random; readonly newId: NewId };

type Parts = Chance & {
  readonly runs: Pick<RunStore, "admit" | "advance">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly flows: Pick<ReturnType<typeof readyFlows>, "get">;
  readonly calls: Pick<ReturnType<typeof webhookCalls>, "free" | "start">;
  readonly slices: ReturnType<typeof slicing>;
  /** Has the runs looked at soon: a call has ended, so its run can continue. */
  wakeRuns(): void;
  /** Tells the sender that there is new mail. */
  wakeSender(): Promise<void>;
  readonly log: Log;
};

/**
 * Works on one automation for a short time: first on its triggers, then on its runs. After the commit, webhook
 * calls of the steps start, and the sender is woken for new mail. Resolves with the number of rows that moved, or null
 * while the flow is being prepared.
 */
export function automationWork(parts: Parts): (automation: DueAutomation) => Promise<number | null> {
  const { runs, workspaces, flows, calls, slices, log } = parts;
  const pauses = callPauses();

  const admitAndAdvance = async (automation: DueAutomation, ready: ReadyFlow): Promise<SliceResult[]> => {
    const settings = await workspaces.settings(automation.workspaceId);
    const results: SliceResult[] = [];
    if (automation.hasStarts) {
      const admitted = await runs.admit(automation, slices.slice(), admitRule(ready.flow, parts));
      results.push(admitted);
      if (admitted.stale) return results;
      await slices.pause();
    }
    const slice = { ...slices.slice(), callsMax: calls.free(automation.workspaceId) };
    results.push(
      await runs.advance(
        automation,
        slice,
        runRule(ready, settings, { ...parts, callAgainAt: pauses.againAt }),
      ),
    );
    return results;
  };

  const start = (call: OwedCall): void => {
    const startedMs = parts.clock.monotonicMs();
    calls.start(call, () => {
      pauses.ended(call.workspaceId, parts.clock.monotonicMs() - startedMs);
      parts.wakeRuns();
    });
  };

  return async (automation) => {
    const ready = await flows.get(automation);
    if (ready === null) return null;
    const results = await admitAndAdvance(automation, ready);
    for (const { calls: owed, crashes } of results) {
      for (const call of owed) start(call);
      for (const error of crashes)
        log.error("a step of an automation threw; it is put off", { automation: automation.id, error });
    }
    if (results.some(({ mails }) => mails > 0)) await parts.wakeSender();
    return results.reduce((sum, { done }) => sum + done, 0);
  };
}

function admitRule(flow: Flow, { clock, random, newId }: Chance): AdmitRule {
  return {
    entry: (trigger) => entryFor(flow, trigger),
    enroll: ({ reenroll }, history, { depth }) =>
      decideEnroll(reenroll, history, { depth, now: clock.now() }),
    newId: () => newId("enr"),
    retryAt: (attempts, firstAttemptAt) =>
      retryStartAt({ attempts, firstAttemptAt, now: clock.now(), jitter: random.fraction() }),
  };
}

type Pauses = Pick<Chance, "clock" | "random"> & Pick<RunRule, "callAgainAt">;

function runRule(ready: ReadyFlow, settings: Settings, { clock, random, callAgainAt }: Pauses): RunRule {
  return {
    needs: (nodeId) => stepNeeds(ready, nodeId),
    decide: (input) => decideStep(ready, settings, input),
    jitter: () => random.fraction(),
    retryAt: (crashes) => retryCrashAt(crashes, clock.now()),
    callAgainAt,
  };
}
