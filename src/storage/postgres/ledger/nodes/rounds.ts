/**
 * What the sender records, gathered: outcomes and requested dots, in one transaction. "Nobody twice" depends only
 * on the row: it goes from `queued` to its dot once, and only the holder of the dot can take it back.
 */
import { Fenced, Moved } from "#core/errors/fenced.ts";
import { present } from "#core/present.ts";
import { isOfOne, StorageError } from "#core/errors/storage-error.ts";
import { decideClaim, type Claim } from "#deliveries/moves/claim.ts";
import { LEFT_UNANSWERED } from "#deliveries/moves/left-behind.ts";
import { moveOfStopped, type Move } from "#deliveries/moves/move.ts";
import { decideSettling } from "#deliveries/moves/settle.ts";
import { SETTLED, type Claiming, type Settling, type Step } from "#storage/common/ledger/ledger-step.ts";
import { bounceHard, holdMailed } from "#storage/postgres/consent/consent-writes.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { gatheredRounds, type Haste } from "#storage/postgres/engine/gathered-rounds.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { domainCounts } from "#storage/postgres/ledger/domain-sends.ts";
import { finishEmptied } from "#storage/postgres/ledger/moves/finishing.ts";
import type { OwnNode } from "./node.ts";
import { TIMELINE } from "./timeline.ts";
import { plainRounds, type Performed } from "./plain-rounds.ts";
import { lockLedgerRows, type LedgerRow } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { applyStrike } from "#storage/postgres/ledger/moves/strikes.ts";
import { newTally, type Tally } from "#storage/postgres/ledger/moves/tally.ts";

/** No row: the node is fenced. Otherwise it cannot be fenced before the round is committed. */
const NODES = `SELECT id, ${TIMELINE} AS timeline FROM nodes
  WHERE id = ANY($1::int8[]) AND fenced_at IS NULL ORDER BY id FOR SHARE`;

/** A dot that was written and never sent is owed as before. */
const TAKEN_BACK: Move = { to: "queued", countsAsAttempt: false };

export type Rounds = {
  /**
   * Performs a step. Rounds share commits, and an outcome is committed before the next dot of the same connection.
   * A step with `later` waits some milliseconds for such a dot.
   */
  perform(step: Step, haste: Haste): Promise<Claim>;
  /**
   * Dots of this process that were committed but never sent, because the answer to the commit was lost or came too
   * late. Their messages are owed again at once, and those of requests have failed. Nobody else may do that; reads
   * of owed messages skip them.
   */
  takeBack(): Promise<void>;
};

export function ledgerRounds(database: PostgresDatabase, own: OwnNode): Rounds {
  /** Claims whose dot may be in the database but was never sent: it is unknown whether they were committed. */
  const unsent = new Map<number, Claiming>();
  /** Claims in progress: their dots may be sent at any moment. */
  const underWay = new Set<Claiming>();
  const plain = plainRounds(database, own, unsent);

  const performAll = async (steps: readonly Step[]): Promise<readonly Claim[]> => {
    const claims = steps.filter((step): step is Claiming => "run" in step);
    for (const claiming of claims) underWay.add(claiming);
    try {
      const { answers, lessOwed } =
        (await plain.perform(steps)) ??
        (await plain.written(database.writeOften, (tx) => round(tx, steps, own, unsent)));
      // What was written stays written: if this fails, the next sweep does it.
      await finishEmptied(database, lessOwed, Math.max(...steps.map(({ now }) => now))).catch(
        () => undefined,
      );
      if (claims.length > 0 && own.number !== null) own.checkLease();
      for (const { message } of steps) unsent.delete(message);
      return answers;
    } catch (error) {
      // If it waited in vain for a lock, PostgreSQL has undone it.
      if (!isAboutOne(error)) for (const claiming of claims) unsent.set(claiming.message, claiming);
      throw error;
    } finally {
      for (const claiming of claims) underWay.delete(claiming);
    }
  };

  /** Those of them that nobody has claimed again meanwhile. Call it with their rows locked. */
  const stillUnsent = (lost: readonly Claiming[]): readonly Claiming[] => {
    const again = new Set([...underWay].map(({ message }) => message));
    return lost.filter((one) => unsent.get(one.message) === one && !again.has(one.message));
  };

  return {
    perform: gatheredRounds(performAll, isOfAll),

    async takeBack() {
      const lost = [...unsent.values()];
      if (lost.length === 0 || own.number === null) return;
      const work = (tx: Session) => takeBackAll(tx, own, lost, stillUnsent);
      const { back, lessOwed } = await plain.written(database.write, work);
      for (const one of back) if (unsent.get(one.message) === one) unsent.delete(one.message);
      await finishEmptied(database, lessOwed, Math.max(...lost.map(({ now }) => now)));
    },
  };
}

const isAboutOne = (error: unknown): boolean => error instanceof StorageError && isOfOne(error);

/** Another program may have locked one message, and the others go on. */
const isOfAll = (error: unknown): boolean =>
  error instanceof Fenced || (error instanceof StorageError && !isOfOne(error));

/** They come back as deferred rows that are due, so readers that have passed them find them again. */
async function takeBackAll(
  tx: Session,
  own: OwnNode,
  lost: readonly Claiming[],
  stillUnsent: (lost: readonly Claiming[]) => readonly Claiming[],
): Promise<{ readonly back: readonly Claiming[]; readonly lessOwed: readonly number[] }> {
  const node = present(own.number, "node that has joined");
  await holdNodes(tx, [node], own);
  const rows = await lockLedgerRows(
    tx,
    lost.map(({ message }) => message),
  );
  const tally = newTally(tx);
  const back = stillUnsent(lost);
  for (const { message, now } of back) {
    const row = rows.get(message);
    if (row?.state !== "dot" || row.node !== node) continue;
    // The caller has perhaps got an answer, and the letter is gone.
    const isAwaited = row.kind === "transactional";
    tally.move(row, isAwaited ? LEFT_UNANSWERED : { ...TAKEN_BACK, nextAttemptAt: now }, { now });
    if (!isAwaited) endIfStopped(tally, row, now);
  }
  return { back, lessOwed: await tally.book() };
}

async function round(
  tx: Session,
  steps: readonly Step[],
  own: OwnNode,
  unsent: ReadonlyMap<number, Claiming>,
): Promise<Performed> {
  await checkNodes(tx, steps, own);
  await holdMailed(
    tx,
    steps.filter(mayRefuse).map(({ message }) => message),
  );
  const rows = await lockLedgerRows(
    tx,
    steps.map(({ message }) => message),
  );
  const tally = newTally(tx);
  const counts = domainCounts();
  const bounced: LedgerRow[] = [];
  const answers: Claim[] = [];
  for (const step of steps) {
    const row = rows.get(step.message);
    if (row === undefined) answers.push("gone");
    else if ("run" in step) {
      const claimed = claim(tally, row, step, unsent);
      if (claimed === "dot" && step.isCounted) counts.add(row.workspace, row.address, step.now);
      answers.push(claimed);
    } else {
      if (await settle(tx, own, tally, row, step)) bounced.push(row);
      answers.push(SETTLED);
    }
  }
  const now = Math.max(...steps.map((step) => step.now));
  await counts.book(tx);
  const lessOwed = await tally.book();
  for (const { workspace, address } of bounced.toSorted((a, b) => (a.address < b.address ? -1 : 1)))
    await bounceHard(tx, { workspace, address, now });
  return { answers, lessOwed };
}

/** Whether the address itself may be refused: its contact changes then. */
const mayRefuse = (step: Step): boolean =>
  !("run" in step) && (step.outcome.state === "bounced" || step.strike !== null);

async function checkNodes(tx: Session, steps: readonly Step[], own: OwnNode): Promise<void> {
  const runs = new Set(steps.flatMap((step) => ("run" in step ? step.run : (own.number ?? []))));
  if (runs.size > 0) await holdNodes(tx, [...runs], own);
}

/** Locks the nodes until the transaction ends. */
async function holdNodes(tx: Session, nodes: readonly number[], own: OwnNode): Promise<void> {
  const held = await tx.rows<{ timeline: string }>(NODES, [nodes]);
  const hasMoved = own.timeline !== null && held.some(({ timeline }) => timeline !== own.timeline);
  if (held.length === nodes.length && !hasMoved) return;
  const error = hasMoved ? new Moved() : new Fenced();
  // The next beat would find this too, but only later.
  own.lose(error);
  throw error;
}

function claim(
  tally: Tally,
  row: LedgerRow,
  { message, run, now }: Claiming,
  unsent: ReadonlyMap<number, Claiming>,
): Claim {
  if (row.state === "dot" && row.node === run && unsent.has(message)) {
    tally.move(row, TAKEN_BACK, { now });
    endIfStopped(tally, row, now);
  }
  const { claim: decided, move } = decideClaim(row);
  if (move !== null) tally.move(row, move, decided === "dot" ? { now, node: run } : { now });
  return decided;
}

/** A row that was taken back from its dot. Nobody else ends it: what a stopped mailing owed was ended before. */
function endIfStopped(tally: Tally, row: LedgerRow, now: number): void {
  const end = moveOfStopped(row);
  if (end !== null) tally.move(row, end, { now });
}

/** True if the address itself is refused. */
async function settle(
  tx: Session,
  own: OwnNode,
  tally: Tally,
  row: LedgerRow,
  { outcome, now, strike }: Settling,
): Promise<boolean> {
  if (row.state !== "queued" && row.state !== "dot") return false;
  // Written once more because its answer was lost; meanwhile another node tried the message again.
  if (row.state === "dot" && own.number !== null && row.node !== own.number) return false;
  const final = await applyStrike(tx, row, outcome, now, strike);
  for (const move of decideSettling(row, final)) tally.move(row, move, { now });
  return final.state === "bounced";
}
