import { CAMPAIGN_COUNTED, type CampaignCounted } from "#campaigns/report/outcome-figures.ts";
import { COUNTED, type Counted as WorkspaceFigure } from "#stats/figures.ts";
import { activityColumn, quarterCounts, type QuarterCounts } from "#storage/common/events/quarter-counts.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

/** What a transaction counts. Nothing is written before `book`. */
export type Activity<F extends string = WorkspaceFigure> = Pick<QuarterCounts<F>, "add"> & {
  /** Call it in the same transaction: writes one row for each `of` and quarter in which something was counted. */
  book(): Promise<void>;
};

const placesOf = (figures: readonly string[]): string => figures.map((_, i) => `$${i + 3}::int8`).join(", ");

const SAVE = `INSERT INTO activity_counts (workspace, at, ${COUNTED.map(activityColumn).join(", ")})
  VALUES ($1, $2, ${placesOf(COUNTED)})`;

/** Only mailings of campaigns are counted. */
const SAVE_OF_MAILING = `INSERT INTO mailing_activity (mailing, at, ${CAMPAIGN_COUNTED.map(activityColumn).join(", ")})
  SELECT seq, $2::int8, ${placesOf(CAMPAIGN_COUNTED)} FROM mailings WHERE seq = $1 AND kind = 'campaign'`;

/** Counts what is written in a workspace, in an open transaction (table `activity_counts`). */
export const activityWrites = (tx: Session): Activity => savedCounts(tx, COUNTED, SAVE);

/** The same for a mailing (table `mailing_activity`). */
export const campaignActivity = (tx: Session): Activity<CampaignCounted> =>
  savedCounts(tx, CAMPAIGN_COUNTED, SAVE_OF_MAILING);

function savedCounts<F extends string>(tx: Session, figures: readonly F[], statement: string): Activity<F> {
  const { add, all } = quarterCounts(figures);
  return {
    add,
    async book() {
      await Promise.all(all().map(({ of, at, n }) => tx.run(statement, [of, at, ...n])));
    },
  };
}
