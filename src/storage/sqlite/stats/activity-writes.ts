import type { Database } from "bun:sqlite";
import { FIGURES, NO_FIGURES, type Figure } from "#stats/figures.ts";

/**
 * Every zone's hours and days begin on a quarter of an hour of UTC: so figures that are kept by quarters are
 * right in any zone, also after it is changed.
 */
const QUARTER_MS = 15 * 60_000;

type Counted = { readonly workspace: number; readonly at: number; readonly n: Record<Figure, number> };

/** What a transaction counts. Nothing is written before `book`. */
export type Activity = {
  add(workspace: number, at: number, figure: Figure, n?: number): void;
  /** Call it in the same transaction: one row for each workspace and quarter that something was counted in. */
  book(): void;
};

const COLUMNS = FIGURES.map((figure) => (figure === "newContacts" ? "new_contacts" : figure));

/**
 * Counts what is written, on an open transaction (table `activity_counts`). A write of many rows counts
 * them together: then counting costs one row for all of them.
 */
export function activityWrites(sqlite: Database): () => Activity {
  const save = sqlite.query<null, number[]>(
    `INSERT INTO activity_counts (workspace, at, ${COLUMNS.join(", ")}) VALUES (?, ?, ${COLUMNS.map(() => "?").join(", ")})
     ON CONFLICT DO UPDATE SET ${COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`,
  );

  return () => {
    const counted: Counted[] = [];
    const countedAt = (workspace: number, at: number): Counted => {
      const quarter = at - (at % QUARTER_MS);
      const known = counted.find((one) => one.at === quarter && one.workspace === workspace);
      if (known !== undefined) return known;
      const made = { workspace, at: quarter, n: { ...NO_FIGURES } };
      counted.push(made);
      return made;
    };
    return {
      add(workspace, at, figure, n = 1) {
        countedAt(workspace, at).n[figure] += n;
      },
      book() {
        for (const { workspace, at, n } of counted)
          save.run(workspace, at, ...FIGURES.map((figure) => n[figure]));
      },
    };
  };
}
