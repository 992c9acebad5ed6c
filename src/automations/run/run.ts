import type { Instant } from "#core/time/clock.ts";
import type { TriesSoFar } from "#automations/run/step/decision.ts";
import type { Move, RunState } from "#automations/run/step/step-outcome.ts";

/**
 * The longest chain of automations that start each other without a wait. A trigger of an API call has depth 0.
 * Deeper runs have FAILED at their first node, so automations that start each other come to rest.
 */
export const CAUSAL_DEPTH_MAX = 5;

/** An ACTIVE enrollment, as the loop sees it. `seq`, `automation`, `contact` and `event` are row numbers. */
export type Run = {
  readonly seq: number;
  readonly id: string;
  readonly automation: number;
  readonly contact: number;
  /** The event that started it; null for the other triggers. */
  readonly event: number | null;
  readonly depth: number;
  readonly state: RunState;
  readonly tries: TriesSoFar;
  /** When its current step was to be performed. */
  readonly dueAt: Instant;
  /** Why the current step is tried again; null if nothing is wrong. */
  readonly problem: string | null;
};

/**
 * The depth of a trigger that a run causes (a tag it adds). A run that has waited begins a new chain: a round with a
 * wait in it may go on, like a round within one flow.
 */
export function causedDepth({ depth, state }: Pick<Run, "depth" | "state">): number {
  const hasWaited = state.waiting || state.steps !== state.stepsSinceWait;
  return hasWaited ? 0 : depth + 1;
}

const NO_TRIES: TriesSoFar = { attempts: 0, firstAttemptAt: null };

/** A run after a move: without a problem, and without tries. */
export function moved(run: Run, { state }: Move): Run {
  return { ...run, state, tries: NO_TRIES, problem: null };
}

/** A run whose step is tried again. If `problem` is null, nothing is wrong any more and this does not count as a try. */
export function putOff(run: Run, problem: string | null, now: Instant): Run {
  if (problem === null) return { ...run, problem };
  const { attempts, firstAttemptAt } = run.tries;
  return { ...run, problem, tries: { attempts: attempts + 1, firstAttemptAt: firstAttemptAt ?? now } };
}

/** A run whose step waits for as long as it takes. What was tried before that counts no longer. */
export const waits = (run: Run, problem: string): Run => ({ ...run, problem, tries: NO_TRIES });
