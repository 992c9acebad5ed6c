import type { Instant } from "#core/time/clock.ts";
import type { Node } from "./node.ts";

export type NodeStore = {
  /** Live nodes, and those that ended after `endedAfter`; newest first. Empty if there can be only one process. */
  list(endedAfter: Instant, countMax: number): Promise<Node[]>;
};
