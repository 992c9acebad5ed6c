import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { CAMPAIGN_COUNTED, type CampaignCounted } from "#campaigns/report/outcome-figures.ts";
import { COUNTED, type Counted as WorkspaceFigure } from "#stats/figures.ts";
import {
  activityColumn,
  quarterCounts,
  type QuarterCount,
  type QuarterCounts,
} from "#storage/common/events/quarter-counts.ts";

/** What a transaction counts. Nothing is written before `book`. */
export type Activity<F extends string = WorkspaceFigure> = Pick<QuarterCounts<F>, "add"> & {
  /** Call it in the same transaction: writes one row for each `of` and quarter in which something was counted. */
  book(): void;
};

const COLUMNS = COUNTED.map(activityColumn);
const COLUMNS_OF_MAILING = CAMPAIGN_COUNTED.map(activityColumn);

/**
 * Counts what is written in a workspace, on an open transaction (table `activity_counts`). Code that writes many
 * rows counts them together, so that counting costs one row for all of them.
 */
export const activityWrites = oncePerDatabase((sqlite): (() => Activity) => {
  const save = sqlite.query<null, number[]>(
    `INSERT INTO activity_counts (workspace, at, ${COLUMNS.join(", ")}) VALUES (?, ?, ${COLUMNS.map(() => "?").join(", ")})
     ON CONFLICT DO UPDATE SET ${added(COLUMNS)}`,
  );
  return savedCounts(COUNTED, ({ of, at, n }) => void save.run(of, at, ...n));
});

/** The same for a mailing (table `mailing_activity`). Only mailings of campaigns are counted. */
export const campaignActivity = oncePerDatabase((sqlite): (() => Activity<CampaignCounted>) => {
  const save = sqlite.query<null, number[]>(
    `INSERT INTO mailing_activity (mailing, at, ${COLUMNS_OF_MAILING.join(", ")})
     SELECT seq, ?2, ${COLUMNS_OF_MAILING.map((_, i) => `?${i + 3}`).join(", ")} FROM mailings WHERE seq = ?1 AND kind = 'campaign'
     ON CONFLICT DO UPDATE SET ${added(COLUMNS_OF_MAILING)}`,
  );
  return savedCounts(CAMPAIGN_COUNTED, ({ of, at, n }) => void save.run(of, at, ...n));
});

const added = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ");

function savedCounts<F extends string>(
  figures: readonly F[],
  save: (count: QuarterCount) => void,
): () => Activity<F> {
  return () => {
    const { add, all } = quarterCounts(figures);
    return { add, book: () => all().forEach(save) };
  };
}
