import type { Flow } from "./flow.ts";
import type { FlowProblem } from "./problems.ts";

/** What is being retried at one place, and the reason of the latest failure. */
export type Trouble = {
  readonly at: "start" | "step";
  /** Null for the start of a run. */
  readonly nodeId: string | null;
  readonly count: number;
  readonly problem: string;
};

/** A retry as one of the problems of its flow. */
export function troubleProblem({ at, nodeId, count, problem }: Trouble, { nodes }: Flow): FlowProblem {
  const many =
    at === "start"
      ? count === 1
        ? "1 start"
        : `${count} starts`
      : count === 1
        ? "1 enrollment"
        : `${count} enrollments`;
  const index = nodes.findIndex(({ id }) => id === nodeId);
  return {
    nodeId,
    path: index < 0 ? "nodes" : `nodes[${index}].id`,
    message: `${many} could not go on and will be tried again. The latest reason: ${problem}`,
  };
}

/** A fault of ours that stops a whole automation, as one of its problems. */
export const stoppedProblem = (why: string): FlowProblem => ({
  nodeId: null,
  path: "nodes",
  message: `Nobody moves in this automation now. It is tried again every minute, and the log of the server says more. The reason: ${why}`,
});
