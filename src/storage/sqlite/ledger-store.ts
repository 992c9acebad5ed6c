import { barredBy, type Standing } from "#deliveries/eligibility.ts";
import type { Outcome, SkipReason } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { decideStrike, type StrikeKind } from "#deliveries/strikes.ts";
import { bounceHard } from "./consent-writes.ts";
import { ledgerMoves, type MessageRow } from "./ledger-moves.ts";
import { ledgerReads } from "./ledger-reads.ts";
import { openRun } from "./ledger-run.ts";
import { engagementWrites } from "./engagement-writes.ts";
import { messageLinks } from "./message-links.ts";
import type { SqliteDatabase } from "./open.ts";

/** A row that is owed, with what may keep it from going out. */
type OwedRow = MessageRow & Omit<Standing, "domainBlocked"> & { domainBlocked: number };

export function ledgerStore(database: SqliteDatabase): LedgerStore {
  const { sqlite, writes } = database;
  const moves = ledgerMoves(sqlite);
  // One statement for everything that is asked of a row before its dot: this runs twice for every message.
  const owedRow = sqlite.query<OwedRow, [number]>(
    `SELECT d.seq, d.mailing, d.address, d.state, d.contact, m.workspace, m.kind, m.phase, m.held,
       c.status, s.reason AS suppression, b.domain IS NOT NULL AS domainBlocked
     FROM deliveries d JOIN mailings m ON m.seq = d.mailing
     LEFT JOIN contacts c ON c.seq = d.contact
     LEFT JOIN suppressions s ON s.workspace = m.workspace AND s.address = d.address
     LEFT JOIN blocked_domains b ON b.workspace = m.workspace AND b.domain = substr(d.address, instr(d.address, '@') + 1)
     WHERE d.seq = ? AND d.state = 'queued' AND m.phase = 'sending' AND m.held = 0`,
  );
  const strikes = strikeBook(database);

  const barred = (row: OwedRow): SkipReason | null =>
    barredBy({ ...row, domainBlocked: row.domainBlocked === 1 });
  const skip = (row: MessageRow, reason: SkipReason, now: number): SkipReason => {
    moves.move(row, "skipped", { now, reason, countsAsAttempt: false });
    return reason;
  };

  return {
    ...ledgerReads(sqlite),
    ...engagementWrites(database, moves),
    ...messageLinks(database),
    openRun: (now, hold) => writes.write(() => openRun(sqlite, moves, now, hold)),

    async skipIfBarred(message, now) {
      const row = owedRow.get(message);
      if (!row) return "gone";
      if (barred(row) === null) return "owed";
      return writes.write(() => {
        const again = owedRow.get(message);
        const reason = again && barred(again);
        return again === null ? "gone" : reason === null ? "owed" : skip(again, reason, now);
      });
    },

    claimDot: (message, run, now) =>
      writes.write(() => {
        const row = owedRow.get(message);
        if (!row) return "gone";
        const reason = barred(row);
        if (reason !== null) return skip(row, reason, now);
        moves.move(row, "dot", { now, run, countsAsAttempt: false });
        return "dot";
      }),

    // Shares the commit of the connection's next dot, which it goes before: half as many commits for the same promise.
    settle: (message, outcome, now, strike) =>
      writes.writeAlong(() => {
        const row = moves.find(message);
        if (!row || (row.state !== "queued" && row.state !== "dot")) return;
        const final = strikes.apply(row, outcome, now, strike);
        settleRow(moves, row, final, now);
        if (final.state === "bounced")
          bounceHard(sqlite, { workspace: row.workspace, address: row.address, now });
      }),
  };
}

function settleRow(
  moves: ReturnType<typeof ledgerMoves>,
  row: MessageRow,
  outcome: Outcome,
  now: number,
): void {
  switch (outcome.state) {
    case "untouched":
      if (row.state === "dot")
        moves.move(row, "queued", { now, reply: outcome.reply, countsAsAttempt: false });
      return;
    case "queued": {
      const { reason, reply, nextAttemptAt } = outcome;
      moves.move(row, "queued", { now, reason, reply, nextAttemptAt, countsAsAttempt: true });
      return;
    }
    case "uncertain":
      moves.move(row, "uncertain", { now, reason: outcome.reason, countsAsAttempt: true });
      return;
    case "sent":
      moves.move(row, "sent", { now, reply: outcome.reply, countsAsAttempt: true });
      return;
    case "bounced":
    case "failed":
      moves.move(row, outcome.state, {
        now,
        reason: outcome.reason,
        reply: outcome.reply,
        countsAsAttempt: true,
      });
      return;
  }
}

/** Counts replies that are no proof by themselves (deliveries/strikes.ts); the last one needed makes it a hard bounce. */
function strikeBook({ sqlite }: SqliteDatabase) {
  const find = sqlite.query<{ count: number; firstAt: number; lastAt: number }, [number, string, string]>(
    "SELECT count, first_at AS firstAt, last_at AS lastAt FROM address_strikes WHERE workspace = ? AND address = ? AND kind = ?",
  );
  const save = sqlite.query(
    `INSERT INTO address_strikes VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = excluded.count, first_at = excluded.first_at, last_at = excluded.last_at`,
  );
  const clear = sqlite.query("DELETE FROM address_strikes WHERE workspace = ? AND address = ?");

  return {
    apply(row: MessageRow, outcome: Outcome, now: number, kind: StrikeKind | null): Outcome {
      if (outcome.state === "sent") clear.run(row.workspace, row.address);
      if (kind === null) return outcome;
      const decision = decideStrike(kind, find.get(row.workspace, row.address, kind), now);
      const { history } = decision;
      if (history) save.run(row.workspace, row.address, kind, history.count, history.firstAt, history.lastAt);
      const reply = "reply" in outcome ? outcome.reply : null;
      if (!decision.hard || !reply || !("reason" in outcome)) return outcome;
      return { state: "bounced", reason: outcome.reason, reply };
    },
  };
}
