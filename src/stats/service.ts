import type { Clock } from "#core/time/clock.ts";
import { AppError, unwrap } from "#core/errors/errors.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import { sumOf, type Stats } from "./figures.ts";
import { parseStatsQuery } from "./stats-input.ts";
import { ratesOf, ratesSpan, type Rates } from "./rates.ts";
import { stepBounds } from "./steps.ts";
import type { StatsStore } from "./store.ts";

const STEPS_MAX = 1_000;

export type StatsService = ReturnType<typeof statsService>;

export function statsService(parts: {
  stats: StatsStore;
  workspaces: Pick<WorkspaceService, "settings">;
  clock: Clock;
}) {
  const { stats, workspaces, clock } = parts;
  return {
    /**
     * The steps of a range in the workspace's time zone, empty ones too, and their sum.
     * @throws AppError VALIDATION_ERROR for a range that cannot be read or has too many steps
     */
    async read(workspaceId: string, sent: Parameters<typeof parseStatsQuery>[0]): Promise<Stats> {
      const { step, ...range } = unwrap(parseStatsQuery(sent, clock.now()));
      const { timezone } = await workspaces.settings(workspaceId);
      const bounds = stepBounds(range, step, timezone, STEPS_MAX);
      if (bounds === null)
        throw new AppError(
          "VALIDATION_ERROR",
          `That is more than ${STEPS_MAX} steps: ask for a shorter time, or for days instead of hours.`,
        );
      const figures = await stats.between(workspaceId, bounds);
      const series = figures.map((each, i) => ({ at: bounds[i] ?? range.from, ...each }));
      return { totals: sumOf(figures), series };
    },

    /** How the workspace's mail was received in the last 7 days. */
    async recentRates(workspaceId: string): Promise<Rates> {
      const { from, to } = ratesSpan(clock.now());
      return ratesOf(sumOf(await stats.between(workspaceId, [from, to])));
    },
  };
}
