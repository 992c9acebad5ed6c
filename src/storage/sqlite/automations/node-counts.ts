import type { Database } from "bun:sqlite";

/** A run left a node: it went on or ended there. Null in `entered`: it is over. */
export type Passage = {
  readonly left: string;
  readonly how: "completed" | "failed";
  readonly entered: string | null;
};

type Counts = { entered: number; completed: number; failed: number };

/** What a transaction counts, by node. Nothing is written before `bookNodes`. */
export type NodeTally = Map<string, Counts>;

const countsAt = (tally: NodeTally, node: string): Counts => {
  const known = tally.get(node) ?? { entered: 0, completed: 0, failed: 0 };
  tally.set(node, known);
  return known;
};

export function enter(tally: NodeTally, node: string): void {
  countsAt(tally, node).entered++;
}

export function pass(tally: NodeTally, { left, how, entered }: Passage): void {
  countsAt(tally, left)[how]++;
  if (entered !== null) enter(tally, entered);
}

export function merge(tally: NodeTally, more: NodeTally): void {
  for (const [node, { entered, completed, failed }] of more) {
    const counts = countsAt(tally, node);
    counts.entered += entered;
    counts.completed += completed;
    counts.failed += failed;
  }
}

/** Writes what was counted, on the transaction that moved the runs: one row for each node, however many runs. */
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
