import type { NodeTally } from "#automations/run/node-tally.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

const SAVE = `INSERT INTO automation_nodes (automation, node, entered, completed, failed)
  SELECT $1, * FROM unnest($2::text[], $3::int8[], $4::int8[], $5::int8[])`;

/** Writes what was counted, in the transaction that moved the runs: one row per node, however many runs. */
export async function bookNodes(tx: Session, automation: number, tally: NodeTally): Promise<void> {
  if (tally.size === 0) return;
  const counts = [...tally.values()];
  await tx.run(SAVE, [
    automation,
    [...tally.keys()],
    counts.map(({ entered }) => entered),
    counts.map(({ completed }) => completed),
    counts.map(({ failed }) => failed),
  ]);
}
