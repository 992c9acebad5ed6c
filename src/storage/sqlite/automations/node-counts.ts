import type { Database } from "bun:sqlite";
import type { NodeTally } from "#automations/run/node-tally.ts";

/** Writes what was counted, in the transaction that moved the runs: one row per node, however many runs. */
export function nodeBook(sqlite: Database): (automation: number, tally: NodeTally) => void {
  const save = sqlite.query<null, [number, string, number, number, number]>(
    `INSERT INTO automation_nodes VALUES (?, ?, ?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET entered = entered + excluded.entered, completed = completed + excluded.completed,
       failed = failed + excluded.failed`,
  );
  return (automation, tally) => {
    for (const [node, { entered, completed, failed }] of tally)
      save.run(automation, node, entered, completed, failed);
  };
}
