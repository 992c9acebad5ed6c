import { barredBy } from "#deliveries/eligibility.ts";
import type { Outcome, SkipReason } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { Urgency } from "#mail/smtp/urgency.ts";
import { decideStrike, type StrikeKind } from "#deliveries/reply/strikes.ts";
import { bounceHard } from "#storage/sqlite/consent/consent-writes.ts";
import { gatheredSteps } from "#storage/sqlite/engine/gathered-steps.ts";
import { domainCounts } from "./domain-sends.ts";
import { ledgerMoves, type MessageRow, type Tally } from "./ledger-moves.ts";
import { ledgerReads } from "./ledger-reads.ts";
import { openRun } from "./ledger-run.ts";
import { engagementWrites } from "./engagement-writes.ts";
import { messageLinks } from "./message-links.ts";
import { messageValues } from "./message-values.ts";
import { isOwed, standingsOf, type Standing } from "./message-standing.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { addressStrikes } from "#storage/sqlite/schema/schema.ts";

/** What the sender wants to record about a message: that its dot may be sent, or how it ended. */
type Claiming = {
  readonly message: number;
  readonly run: number;
  readonly now: number;
  readonly isCounted: boolean;
};
type Settling = {
  readonly message: number;
  readonly outcome: Outcome;
  readonly now: number;
  readonly strike: StrikeKind | null;
};
type Step = Claiming | Settling;

export function ledgerStore(database: SqliteDatabase): LedgerStore {
  const { sqlite, writes } = database;
  const moves = ledgerMoves(sqlite);
  const standings = standingsOf(sqlite);
  const steps = gatheredSteps(writes, stepsOf(database, moves, standings));
  const write = (step: Step, urgency: Urgency): Promise<Claim> =>
    urgency === "awaited" ? steps.now(step) : steps.soon(step);

  return {
    ...ledgerReads(sqlite),
    ...engagementWrites(database, moves),
    ...messageLinks(database),
    ...messageValues(database),
    openRun: (now, hold) => writes.write(() => openRun(sqlite, moves, now, hold)),

    skipIfBarred: (message, now) =>
      writes.write(() => {
        const row = standings([message]).get(message);
        if (row === undefined || !isOwed(row)) return "gone";
        const reason = barredBy(row);
        if (reason === null) return "owed";
        moves.move(row, "skipped", { now, reason, countsAsAttempt: false });
        return reason;
      }),

    // The dots of several connections share a commit. So do an outcome and the next dot of the same
    // connection; the outcome comes first.
    claimDot: (message, run, now, urgency = "bulk", isCounted = false) =>
      write({ message, run, now, isCounted }, urgency),
    async settle(message, outcome, now, strike, urgency = "bulk") {
      await write({ message, outcome, now, strike }, urgency);
    },
  };
}

type Claim = "dot" | "gone" | SkipReason;

/** Carries out what the sender wants to record, in one transaction. */
function stepsOf(
  database: SqliteDatabase,
  moves: ReturnType<typeof ledgerMoves>,
  standings: ReturnType<typeof standingsOf>,
): (steps: readonly Step[]) => Claim[] {
  const { sqlite } = database;
  const strikes = strikeBook(database);
  const newCounts = domainCounts(sqlite);

  const claim = (tally: Tally, row: Standing, { run, now }: Claiming): Claim => {
    if (!isOwed(row)) return "gone";
    const reason = barredBy(row);
    if (reason === null) tally.move(row, "dot", { now, run, countsAsAttempt: false });
    else tally.move(row, "skipped", { now, reason, countsAsAttempt: false });
    return reason ?? "dot";
  };

  const settle = (tally: Tally, row: Standing, { outcome, now, strike }: Settling): void => {
    if (row.state !== "queued" && row.state !== "dot") return;
    const final = strikes.apply(row, outcome, now, strike);
    settleRow(tally, row, final, now);
    if (final.state === "bounced")
      bounceHard(sqlite, { workspace: row.workspace, address: row.address, now });
  };

  return (steps) => {
    const rows = standings(steps.map(({ message }) => message));
    const tally = moves.tally();
    const counts = newCounts();
    const answers = steps.map((step): Claim => {
      const row = rows.get(step.message);
      if (row === undefined) return "gone";
      if (!("run" in step)) {
        settle(tally, row, step);
        return "gone";
      }
      const claimed = claim(tally, row, step);
      if (claimed === "dot" && step.isCounted) counts.add(row.workspace, row.address, step.now);
      return claimed;
    });
    counts.book();
    tally.book(present(steps.at(-1), "step of a batch").now);
    return answers;
  };
}

function settleRow(moves: Tally, row: MessageRow, outcome: Outcome, now: number): void {
  switch (outcome.state) {
    case "untouched":
      if (row.state === "dot")
        moves.move(row, "queued", { now, reply: outcome.reply, countsAsAttempt: false });
      return skipIfStopped(moves, row, now);
    case "queued": {
      const { reason, reply, nextAttemptAt } = outcome;
      moves.move(row, "queued", { now, reason, reply, nextAttemptAt, countsAsAttempt: true });
      return skipIfStopped(moves, row, now);
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
        detail: "detail" in outcome ? outcome.detail : null,
        reply: outcome.reply,
        countsAsAttempt: true,
      });
      return;
    default:
      outcome satisfies never;
  }
}

/** What comes back as owed after its mailing was stopped is not sent again. */
function skipIfStopped(moves: Tally, row: MessageRow, now: number): void {
  if (row.phase === "stopped" && row.state === "queued")
    moves.move(row, "skipped", { now, reason: "STOPPED", countsAsAttempt: false });
}

/**
 * Counts replies that alone are no proof (deliveries/reply/strikes.ts); the last one needed makes it a hard
 * bounce.
 */
function strikeBook({ sqlite }: SqliteDatabase) {
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
    apply(row: Standing, outcome: Outcome, now: number, kind: StrikeKind | null): Outcome {
      if (outcome.state === "sent" && row.hasStrikes) clear.run(row.workspace, row.address);
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
