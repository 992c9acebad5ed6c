import type { Instant } from "#core/time/clock.ts";
import type { Counts } from "./figures.ts";

/**
 * What happened in a workspace, counted by time. The stores of the other features count what they write, in
 * the same transaction, so that figures and rows never differ. A deletion takes nothing out of them.
 */
export type StatsStore = {
  /**
   * The figures between each of the instants and the next one: one fewer than there are instants. Exact for
   * instants on the quarters of an hour; any other instant counts as the next quarter.
   */
  between(workspaceId: string, bounds: readonly Instant[]): Promise<Counts[]>;
};
