import type { Run } from "#automations/run/run.ts";

/** An ACTIVE enrollment as it is stored; whether it waits is stored differently by each engine. */
export type StoredRun = {
  readonly run: number;
  readonly runId: string;
  readonly automation: number;
  readonly contact: number;
  readonly event: number | null;
  readonly depth: number;
  readonly node: string;
  readonly steps: number;
  readonly stepsSinceWait: number;
  readonly attempts: number;
  readonly firstAttemptAt: number | null;
  readonly nextRunAt: number;
  readonly problem: string | null;
};

export function runOf(stored: StoredRun, waiting: boolean): Run {
  const { run, runId, automation, contact, event, depth, node, steps, stepsSinceWait, problem } = stored;
  return {
    seq: run,
    id: runId,
    automation,
    contact,
    event,
    depth,
    state: { currentNodeId: node, waiting, steps, stepsSinceWait },
    tries: { attempts: stored.attempts, firstAttemptAt: stored.firstAttemptAt },
    dueAt: stored.nextRunAt,
    problem,
  };
}
