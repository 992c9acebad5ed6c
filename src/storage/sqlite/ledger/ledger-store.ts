import type { Database } from "bun:sqlite";
import type { Outcome } from "#deliveries/ledger.ts";
import { decideClaim, decideLook, type Claim } from "#deliveries/moves/claim.ts";
import { decideSettling } from "#deliveries/moves/settle.ts";
import { afterStrike } from "#deliveries/moves/strike.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";
import { SETTLED, type Claiming, type Settling, type Step } from "#storage/common/ledger/ledger-step.ts";
import { hardBounce } from "#storage/sqlite/consent/consent-writes.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { gatheredSteps } from "#storage/sqlite/engine/writes/gathered-steps.ts";
import { inOneTurn, orInSlices } from "#storage/sqlite/engine/writes/in-slices.ts";
import { domainCounts } from "./domain-sends.ts";
import { ledgerMoves, type Tally } from "#storage/sqlite/ledger/moves/ledger-moves.ts";
import { ledgerReads } from "./ledger-reads.ts";
import { runRegistry } from "./run-registry.ts";
import { engagementWrites } from "./engagement-writes.ts";
import { messageLinks } from "./message-links.ts";
import { messageValues } from "./message-values.ts";
import { ledgerRows, type LedgerRow } from "#storage/sqlite/ledger/moves/ledger-rows.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { addressStrikes } from "#storage/sqlite/schema/schema.ts";

export function ledgerStore(database: SqliteDatabase): LedgerStore {
  const { sqlite, writes } = database;
  const moves = ledgerMoves(sqlite);
  const rowsOf = ledgerRows(sqlite);
  const perform = stepWrites(sqlite);
  const steps = gatheredSteps(writes, (all: readonly Step[]) => inOneTurn(perform(all)));
  const write = (step: Step, urgency: Urgency, isLast = false): Promise<Claim> =>
    urgency === "awaited" ? steps.now(step) : steps.soon(step, isLast);

  return {
    ...ledgerReads(sqlite),
    ...engagementWrites(database, moves),
    ...messageLinks(database),
    ...messageValues(database),
    ...runRegistry(database, moves),

    skipIfBarred: (message, now) =>
      writes.write(() => {
        const row = rowsOf([message]).get(message);
        if (row === undefined) return "gone";
        const { answer, move } = decideLook(row);
        if (move !== null) moves.move(row, move, now);
        return answer;
      }),

    // The dots of several connections share a commit. So do an outcome and the next dot of the same connection; the
    // outcome is first.
    claimDot: (message, run, now, urgency, { isCounted, isLast }) =>
      write({ message, run, now, isCounted }, urgency, isLast),
    async settle(message, outcome, now, strike, urgency) {
      const step = { message, outcome, now, strike };
      await orInSlices(database, write(step, urgency), function* (connection) {
        yield* stepWrites(connection)([step]);
        return SETTLED;
      });
    },
  };
}

/**
 * Carries out what the sender wants to record, in one transaction. It yields where a dead address is that of somebody
 * on very many lists.
 */
const stepWrites = oncePerDatabase((sqlite) => {
  const moves = ledgerMoves(sqlite);
  const rowsOf = ledgerRows(sqlite);
  const strikes = strikeBook(sqlite);
  const newCounts = domainCounts(sqlite);

  const claim = (tally: Tally, row: LedgerRow, { run, now }: Claiming): Claim => {
    const { claim: decided, move } = decideClaim(row);
    if (move !== null) tally.move(row, move, decided === "dot" ? { now, run } : { now });
    return decided;
  };

  /** True: the address is dead. */
  const settle = (tally: Tally, row: LedgerRow, { outcome, now, strike }: Settling): boolean => {
    if (row.state !== "queued" && row.state !== "dot") return false;
    const final = strikes.apply(row, outcome, now, strike);
    for (const move of decideSettling(row, final)) tally.move(row, move, { now });
    return final.state === "bounced";
  };

  return function* (steps: readonly Step[]): Generator<void, Claim[], void> {
    const rows = rowsOf(steps.map(({ message }) => message));
    const tally = moves.tally();
    const counts = newCounts();
    const answers: Claim[] = [];
    for (const step of steps) {
      const row = rows.get(step.message);
      if (row === undefined) answers.push("gone");
      else if ("run" in step) {
        const claimed = claim(tally, row, step);
        if (claimed === "dot" && step.isCounted) counts.add(row.workspace, row.address, step.now);
        answers.push(claimed);
      } else {
        const { workspace, address } = row;
        if (settle(tally, row, step)) yield* hardBounce(sqlite, { workspace, address, now: step.now });
        answers.push(SETTLED);
      }
    }
    counts.book();
    tally.book(present(steps.at(-1), "step of a batch").now);
    return answers;
  };
});

/** Counts replies that are no proof alone (deliveries/reply/strikes.ts); the last one needed makes it a hard bounce. */
function strikeBook(sqlite: Database) {
  const find = sqlite.query<
    Row<typeof addressStrikes, "count" | "firstAt" | "lastAt">,
    [number, string, string]
  >(
    "SELECT count, first_at AS firstAt, last_at AS lastAt FROM address_strikes WHERE workspace = ? AND address = ? AND kind = ?",
  );
  const save = sqlite.query(
    `INSERT INTO address_strikes VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = excluded.count, first_at = excluded.first_at, last_at = excluded.last_at`,
  );
  const clear = sqlite.query("DELETE FROM address_strikes WHERE workspace = ? AND address = ?");

  return {
    apply(row: LedgerRow, outcome: Outcome, now: number, kind: StrikeKind | null): Outcome {
      if (outcome.state === "sent" && row.hasStrikes) clear.run(row.workspace, row.address);
      if (kind === null) return outcome;
      const before = find.get(row.workspace, row.address, kind);
      const { outcome: final, history } = afterStrike(outcome, kind, before, now);
      if (history) save.run(row.workspace, row.address, kind, history.count, history.firstAt, history.lastAt);
      return final;
    },
  };
}
