import type { Instant } from "#core/time/clock.ts";
import type { Node } from "./node.ts";

export type NodeStore = {
  /** Those that live, and those that ended after `endedAfter`; newest first. None where there can be only one. */
  list(endedAfter: Instant, countMax: number): Promise<Node[]>;
};
