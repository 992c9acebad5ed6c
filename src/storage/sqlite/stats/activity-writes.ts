import type { Database } from "bun:sqlite";
import { CAMPAIGN_FIGURES, type CampaignFigure } from "#campaigns/report/outcome-figures.ts";
import { COUNTED, type Counted as WorkspaceFigure } from "#stats/figures.ts";

/**
 * In every zone, hours and days begin on a quarter of an hour of UTC. So figures that are kept by quarters
 * are right in any zone, also after the workspace changes its zone.
 */
const QUARTER_MS = 15 * 60_000;

/** What a transaction counts. Nothing is written before `book`. */
export type Activity<F extends string = WorkspaceFigure> = {
  /** `of`: the workspace or mailing. */
  add(of: number, at: number, figure: F, n?: number): void;
  /** Call it in the same transaction: one row for each `of` and quarter that something was counted in. */
  book(): void;
};

const COLUMNS = COUNTED.map((figure) => (figure === "newContacts" ? "new_contacts" : figure));

/**
 * Counts what is written in a workspace, on an open transaction (table `activity_counts`). Code that writes
 * many rows counts them together, so that counting costs one row for all of them.
 */
export function activityWrites(sqlite: Database): () => Activity {
  const save = sqlite.query<null, number[]>(
    `INSERT INTO activity_counts (workspace, at, ${COLUMNS.join(", ")}) VALUES (?, ?, ${COLUMNS.map(() => "?").join(", ")})
     ON CONFLICT DO UPDATE SET ${added(COLUMNS)}`,
  );
  return quarterCounts(COUNTED, (of, at, counts) => void save.run(of, at, ...counts));
}

/** The same for a mailing (table `mailing_activity`). Only mailings of campaigns are counted. */
export function campaignActivity(sqlite: Database): () => Activity<CampaignFigure> {
  const save = sqlite.query<null, number[]>(
    `INSERT INTO mailing_activity (mailing, at, ${CAMPAIGN_FIGURES.join(", ")})
     SELECT seq, ?2, ${CAMPAIGN_FIGURES.map((_, i) => `?${i + 3}`).join(", ")} FROM mailings WHERE seq = ?1 AND kind = 'campaign'
     ON CONFLICT DO UPDATE SET ${added(CAMPAIGN_FIGURES)}`,
  );
  return quarterCounts(CAMPAIGN_FIGURES, (of, at, counts) => void save.run(of, at, ...counts));
}

const added = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ");

type Counted<F extends string> = {
  readonly of: number;
  readonly at: number;
  readonly n: Partial<Record<F, number>>;
};

function quarterCounts<F extends string>(
  figures: readonly F[],
  save: (of: number, at: number, counts: readonly number[]) => void,
): () => Activity<F> {
  return () => {
    const counted: Counted<F>[] = [];
    const countedAt = (of: number, at: number): Counted<F> => {
      const quarter = at - (at % QUARTER_MS);
      const known = counted.find((one) => one.at === quarter && one.of === of);
      if (known !== undefined) return known;
      const made = { of, at: quarter, n: {} };
      counted.push(made);
      return made;
    };
    return {
      add(of, at, figure, n = 1) {
        const counts = countedAt(of, at).n;
        counts[figure] = (counts[figure] ?? 0) + n;
      },
      book() {
        for (const { of, at, n } of counted)
          save(
            of,
            at,
            figures.map((figure) => n[figure] ?? 0),
          );
      },
    };
  };
}
