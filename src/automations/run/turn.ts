/**
 * One run's turn, as a pure function of what a store has loaded (`storage` carries out its result).
 *
 * A turn covers several nodes. Before each node it asks for its facts, and hands over what must be written first: a
 * node may depend on changes of the one before. The run's new position is written once, at the end.
 *
 *   takeTurn --(writes, needs)--> the store writes, reads --(facts)--> takeTurn ... --> Turn
 *
 * If something throws, the whole turn is undone and taken again node by node, so that each node can be undone
 * alone. So the nodes before the faulty one are performed, and only the faulty one is tried again later
 * (`afterCrash`).
 */
import type { Instant } from "#core/time/clock.ts";
import { quoted } from "#core/text/text.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { FactsNeeded } from "#automations/run/step/facts.ts";
import {
  afterwards,
  performNode,
  type Around,
  type NodeFacts,
  type OwedCall,
  type RunMove,
  type RunWrite,
  type RunAtNode,
} from "#automations/run/step/node-performance.ts";
import { failedAt, passageOf, type Passage } from "./node-tally.ts";
import { putOff, type Run } from "./run.ts";
import { afterItsCall } from "#automations/run/step/step.ts";

/** This many nodes of one run are performed before the next run has its turn. */
export const NODES_A_TURN = 25;

/** What a turn asks of its store: first the writes, then the facts of the node where the run stands. */
export type Ask = RunAtNode & {
  readonly writes: readonly RunWrite[];
  readonly needs: FactsNeeded | null;
};

/** The summed results of turns. */
export type Advanced = {
  done: number;
  mails: number;
  readonly calls: OwedCall[];
  readonly crashes: unknown[];
  readonly passages: Passage[];
};

/** The end of a turn. `writes` are still to be carried out. `next`: the run continues, now or when it is due again. */
export type Turn = {
  readonly writes: readonly RunWrite[];
  readonly next: RunAtNode | null;
  readonly sum: Advanced;
};

export const nothing = (): Advanced => ({ done: 0, mails: 0, calls: [], crashes: [], passages: [] });

export function add(sum: Advanced, more: Advanced): void {
  sum.done += more.done;
  sum.mails += more.mails;
  sum.calls.push(...more.calls);
  sum.crashes.push(...more.crashes);
  sum.passages.push(...more.passages);
}

/**
 * Moves a run over node after node, until it has to wait, ends, or others have waited long enough.
 *
 * @param mayCall whether one more call may be started now
 * @param nodesMax `NODES_A_TURN`, or 1 after a crash
 */
export function* takeTurn(
  due: RunAtNode,
  around: Around,
  mayCall: () => boolean,
  nodesMax: number,
): Generator<Ask, Turn, NodeFacts> {
  const sum = nothing();
  let at: RunAtNode | null = due;
  let writes: readonly RunWrite[] = [];
  while (at !== null && sum.done < nodesMax && (sum.done === 0 || !around.isOver())) {
    const { run, contact }: RunAtNode = at;
    const needs = around.rule.needs(run.state.currentNodeId);
    const found: NodeFacts = yield { run, contact, writes, needs };
    const performed = performNode(run, found, around, mayCall());
    ({ writes, next: at } = performed);
    sum.done++;
    if (writes.some(({ kind }) => kind === "mail")) sum.mails++;
    if (performed.call !== null) sum.calls.push(performed.call);
    if (performed.passage !== null) sum.passages.push(performed.passage);
  }
  if (at !== null) writes = [...writes, { kind: "stand", run: at.run, at: around.now }];
  return { writes, next: at, sum };
}

/** The new position of a run after a crash or a call, and what that means for its node. */
export type Aftermath = { readonly move: RunMove; readonly passage: Passage | null };

/**
 * A step that threw is tried again later. After some tries its run has FAILED, so that it never holds up the
 * others.
 */
export function afterCrash(run: Run, error: unknown, { rule, now }: Around): Aftermath {
  const at = rule.retryAt(run.tries.attempts + 1);
  const problem = `Something went wrong on our side: ${String(error)}`;
  if (at !== null) return { move: { kind: "stand", run: putOff(run, problem, now), at }, passage: null };
  const left = quoted(run.state.currentNodeId);
  const errorMessage = `The step ${left} failed again and again. ${problem}`;
  return { move: { kind: "fail", run, errorMessage }, passage: failedAt(run) };
}

/** How a call ended. */
export type CallEnding =
  | { readonly kind: "done" }
  | { readonly kind: "fail"; readonly errorMessage: string }
  | { readonly kind: "later"; readonly at: Instant; readonly problem: string | null };

/** The run that waited for a call continues in the flow of now, has FAILED, or waits for another try. */
export function afterCall(
  run: Run,
  { next: asItWas }: Pick<OwedCall, "next">,
  ending: CallEnding,
  { flow, now }: { readonly flow: Flow; readonly now: Instant },
): Aftermath {
  switch (ending.kind) {
    case "done": {
      const next = afterItsCall({ flow, state: run.state, now }, asItWas);
      return { move: afterwards(run, next), passage: passageOf(run, next) };
    }
    case "fail":
      return { move: { kind: "fail", run, errorMessage: ending.errorMessage }, passage: failedAt(run) };
    case "later": {
      const { at, problem } = ending;
      return { move: { kind: "stand", run: putOff(run, problem, now), at }, passage: null };
    }
  }
}
