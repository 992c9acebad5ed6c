/**
 * What the sender records, gathered: outcomes so far and the dots asked for, in one transaction. "Nobody twice" rests
 * on the row alone: it goes from `queued` to its dot once, and whoever holds the dot is the only one to take it back.
 */
import { StorageError } from "#core/storage-error.ts";
import { decideClaim, type Claim } from "#deliveries/moves/claim.ts";
import type { Move } from "#deliveries/moves/move.ts";
import { decideSettling } from "#deliveries/moves/settle.ts";
import type { Claiming, Settling, Step } from "#storage/common/ledger-step.ts";
import { bounceHard } from "#storage/postgres/consent/consent-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { gatheredRounds } from "#storage/postgres/engine/gathered-rounds.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { domainCounts } from "./domain-sends.ts";
import { finishEmptied } from "./finishing.ts";
import { Fenced, type OwnNode } from "./node.ts";
import { lockStandings, type Standing } from "./standing.ts";
import { applyStrike } from "./strikes.ts";
import { newTally, type Tally } from "./tally.ts";

/** No row: the node is fenced. Its row cannot be fenced before the round is committed. */
const NODES = "SELECT id FROM nodes WHERE id = ANY($1::int8[]) AND fenced_at IS NULL ORDER BY id FOR SHARE";

/** A dot that was written and never sent is owed as before. */
const TAKEN_BACK: Move = { to: "queued", countsAsAttempt: false };

/** Performs steps: their rounds share commits. An outcome comes before the next dot of the same connection. */
export function ledgerRounds(database: PostgresDatabase, own: OwnNode): (step: Step) => Promise<Claim> {
  /** Dots of this process that may be in the database and were never sent: nobody knows whether they were committed. */
  const unsent = new Set<number>();

  const perform = async (steps: readonly Step[]): Promise<readonly Claim[]> => {
    const claims = steps.filter((step): step is Claiming => "run" in step);
    try {
      const { answers, lessOwed } = await database.writeOften((tx) => round(tx, steps, own, unsent));
      await finishEmptied(database, lessOwed, Math.max(...steps.map(({ now }) => now)));
      if (claims.length > 0 && own.number !== null) own.checkLease();
      for (const { message } of steps) unsent.delete(message);
      return answers;
    } catch (error) {
      for (const { message } of claims) unsent.add(message);
      throw error;
    }
  };
  return gatheredRounds(perform, (error) => error instanceof StorageError || error instanceof Fenced);
}

async function round(
  tx: Session,
  steps: readonly Step[],
  own: OwnNode,
  unsent: ReadonlySet<number>,
): Promise<{ readonly answers: Claim[]; readonly lessOwed: readonly number[] }> {
  await checkNodes(tx, steps, own);
  const rows = await lockStandings(
    tx,
    steps.map(({ message }) => message),
  );
  const tally = newTally(tx);
  const counts = domainCounts();
  const bounced: Standing[] = [];
  const answers: Claim[] = [];
  for (const step of steps) {
    const row = rows.get(step.message);
    if (row === undefined) answers.push("gone");
    else if ("run" in step) {
      const claimed = claim(tally, row, step, unsent);
      if (claimed === "dot" && step.isCounted) counts.add(row.workspace, row.address, step.now);
      answers.push(claimed);
    } else {
      if (await settle(tx, tally, row, step)) bounced.push(row);
      answers.push("gone");
    }
  }
  const now = Math.max(...steps.map((step) => step.now));
  await counts.book(tx);
  const lessOwed = await tally.book();
  for (const { workspace, address } of bounced.toSorted((a, b) => (a.address < b.address ? -1 : 1)))
    await bounceHard(tx, { workspace, address, now });
  return { answers, lessOwed };
}

async function checkNodes(tx: Session, steps: readonly Step[], own: OwnNode): Promise<void> {
  const runs = new Set(steps.flatMap((step) => ("run" in step ? step.run : (own.number ?? []))));
  if (runs.size > 0 && (await tx.rows(NODES, [[...runs]])).length < runs.size) throw new Fenced();
}

function claim(
  tally: Tally,
  row: Standing,
  { message, run, now }: Claiming,
  unsent: ReadonlySet<number>,
): Claim {
  if (row.state === "dot" && row.node === run && unsent.has(message)) tally.move(row, TAKEN_BACK, { now });
  const { claim: decided, move } = decideClaim(row);
  if (move !== null) tally.move(row, move, decided === "dot" ? { now, node: run } : { now });
  return decided;
}

/** True where the address itself is refused. */
async function settle(
  tx: Session,
  tally: Tally,
  row: Standing,
  { outcome, now, strike }: Settling,
): Promise<boolean> {
  if (row.state !== "queued" && row.state !== "dot") return false;
  const final = await applyStrike(tx, row, outcome, now, strike);
  for (const move of decideSettling(row, final)) tally.move(row, move, { now });
  return final.state === "bounced";
}
