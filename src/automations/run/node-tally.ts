import type { Run } from "./run.ts";
import type { Complete, Move } from "#automations/run/step/step-outcome.ts";

/** A run left a node: it entered another one or ended. `entered` is null if it ended. */
export type Passage = {
  readonly left: string;
  readonly how: "completed" | "failed";
  readonly entered: string | null;
};

type Counts = { entered: number; completed: number; failed: number };

/** What a transaction counts, by node. */
export type NodeTally = Map<string, Counts>;

const countsAt = (tally: NodeTally, node: string): Counts => {
  const known = tally.get(node) ?? { entered: 0, completed: 0, failed: 0 };
  tally.set(node, known);
  return known;
};

export function enter(tally: NodeTally, node: string): void {
  countsAt(tally, node).entered++;
}

function pass(tally: NodeTally, { left, how, entered }: Passage): void {
  countsAt(tally, left)[how]++;
  if (entered !== null) enter(tally, entered);
}

export function tallyOf(passages: readonly Passage[]): NodeTally {
  const tally: NodeTally = new Map();
  for (const passage of passages) pass(tally, passage);
  return tally;
}

/** Null: the run is still at the node. It also stays there when a wait begins. */
export function passageOf({ state }: Run, outcome: Move | Complete): Passage | null {
  const left = state.currentNodeId;
  if (outcome.kind === "complete") return { left, how: "completed", entered: null };
  if (outcome.state.steps === state.steps) return null;
  return { left, how: "completed", entered: outcome.state.currentNodeId };
}

export const failedAt = ({ state }: Run): Passage => ({
  left: state.currentNodeId,
  how: "failed",
  entered: null,
});
