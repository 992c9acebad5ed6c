/**
 * The moves of the ledger (deliveries/moves/) as statements. Every function runs inside a transaction of the write
 * queue, names the state that it leaves, and updates the mailing's counters with the row.
 */
import type { Database } from "bun:sqlite";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { countMove, newAccount, type Account } from "#deliveries/moves/account.ts";
import type { Move } from "#deliveries/moves/move.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";
import { activityWrites, campaignActivity } from "#storage/sqlite/stats/activity-writes.ts";
import { campaignOutbox } from "#storage/sqlite/webhooks/campaign-outbox.ts";
import {
  messageOutbox,
  type MessageOutbox,
  type ToldMessage,
} from "#storage/sqlite/webhooks/message-outbox.ts";

/** `contactId` is the contact's public id; null if the contact was deleted. */
export type MessageRow = Row<typeof deliveries, "seq" | "mailing" | "address" | "state" | "contact"> &
  Row<typeof mailings, "workspace" | "kind" | "phase" | "held" | "isTest"> &
  Pick<ToldMessage, "contactId">;

type Left = Row<typeof mailings, "queued" | "dot" | "phase">;

export type LedgerMoves = ReturnType<typeof ledgerMoves>;

/** When a row is moved, and which run has it afterwards, if any. */
type Moment = { readonly now: number; readonly run?: number };

/** Moves of one transaction. `book` writes their changes to the mailings' numbers once for all of them. */
export type Tally = {
  /**
   * Moves a row along one transition, and changes `row` too. The reservation of a message that will never be
   * sent is given back, once.
   */
  move(row: MessageRow, move: Move, at: Moment): void;
  /** Call it in the same transaction: it updates the counters and finishes mailings that owe nothing more. */
  book(now: number): void;
};

export const ledgerMoves = oncePerDatabase((sqlite) => {
  const find = sqlite.query<MessageRow, [number]>(
    `SELECT d.seq, d.mailing, d.address, d.state, d.contact, c.id AS contactId,
       m.workspace, m.kind, m.phase, m.held, m.is_test AS isTest
     FROM deliveries d JOIN mailings m ON m.seq = d.mailing LEFT JOIN contacts c ON c.seq = d.contact WHERE d.seq = ?`,
  );
  const write = rowMove(sqlite);
  const acceptedAt = sqlite.query<Row<typeof deliveries, "settledAt">, [number]>(
    "SELECT settled_at AS settledAt FROM deliveries WHERE seq = ?",
  );
  const book = bookkeeping(sqlite);
  const newActivity = activityWrites(sqlite);
  const newTimeline = campaignActivity(sqlite);
  const skipStopped = stoppedRows(sqlite, book);
  const newOutbox = messageOutbox(sqlite);

  const tally = (): Tally => {
    const accounts = new Map<number, Account>();
    const activity = newActivity();
    const timeline = newTimeline();
    const outbox = newOutbox();
    return {
      move(row, move, at) {
        const { to } = move;
        const isBouncedLater = to === "bounced" && row.state === "sent";
        const takenAt = isBouncedLater ? acceptedAt.get(row.seq)?.settledAt : null;
        write(row, move, at);
        const account = accounts.get(row.mailing) ?? newAccount();
        accounts.set(row.mailing, account);
        countMove(account, row, to);
        if ((to === "sent" || to === "bounced") && row.isTest === 0) {
          activity.add(row.workspace, at.now, to);
          if (takenAt) activity.add(row.workspace, takenAt, "returned");
          if (row.kind === "campaign") timeline.add(row.mailing, at.now, to);
          if (row.kind === "campaign" && isBouncedLater) timeline.add(row.mailing, at.now, "bouncedLater");
        }
        if (row.isTest === 0) tell(outbox, row, move, at.now);
        row.state = to;
      },
      book(now) {
        // Before the message about a campaign that ends with them.
        outbox.book();
        for (const [mailing, account] of accounts) book(mailing, account, now);
        activity.book();
        timeline.book();
      },
    };
  };

  return {
    find: (message: number): MessageRow | null => find.get(message),
    tally,
    skipStopped,

    /** One move and its booking. */
    move(row: MessageRow, move: Move, now: number): void {
      const one = tally();
      one.move(row, move, { now });
      one.book(now);
    },
  };
});

/** Skips what a stopped mailing owes, some rows at a time. `end`: nothing is owed any more. */
function stoppedRows(sqlite: Database, book: ReturnType<typeof bookkeeping>) {
  const skip = sqlite.query<null, { mailing: number; rows: number; now: number }>(
    `UPDATE deliveries SET state = 'skipped', reason = 'STOPPED', next_attempt_at = NULL, settled_at = $now
     WHERE seq IN (SELECT d.seq FROM mailings m JOIN deliveries d ON d.mailing = m.seq AND d.state = 'queued'
                   WHERE m.seq = $mailing AND m.phase = 'stopped' ORDER BY d.seq LIMIT $rows)`,
  );
  const countSkips = sqlite.query<null, [number, number]>(
    "INSERT INTO mailing_skips VALUES (?, 'STOPPED', ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );
  return (mailing: number, rows: number, now: number): "more" | "end" => {
    const n = skip.run({ mailing, rows, now }).changes;
    if (n > 0) countSkips.run(mailing, n);
    book(mailing, { ...newAccount(), queued: -n, skipped: n }, now);
    return n < rows ? "end" : "more";
  };
}

/** What webhooks are sent. UNCERTAIN is not final, so they get nothing. */
function tell(outbox: MessageOutbox, row: MessageRow, { to, reason }: Move, now: number): void {
  const message = (): ToldMessage => row;
  if (to === "sent") outbox.add("email.sent", row.workspace, now, message);
  if (to === "bounced") outbox.add("email.bounced", row.workspace, now, message, { reason: reason ?? null });
  if (to === "failed") outbox.add("email.failed", row.workspace, now, message);
}

/** Writes one move to its row. */
function rowMove(sqlite: Database) {
  const setState = sqlite.query(
    `UPDATE deliveries SET state = ?3, reason = ?4, attempts = attempts + ?5,
       first_attempt_at = coalesce(first_attempt_at, ?6), next_attempt_at = ?7, run = coalesce(?8, run),
       reply_code = coalesce(?9, reply_code), reply_enhanced = iif(?9 IS NULL, reply_enhanced, ?10),
       reply_text = coalesce(?11, reply_text), detail = ?13,
       settled_at = iif(?2 = 'sent', settled_at, ?12), bounced_at = iif(?2 = 'sent', ?12, bounced_at)
     WHERE seq = ?1 AND state = ?2`,
  );
  const countSkip = sqlite.query(
    "INSERT INTO mailing_skips VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1",
  );
  // The table by which people look up transactional mail. While a message is in progress it stays `queued` there.
  const setMessage = sqlite.query<null, [string, number, number]>(
    "UPDATE messages SET state = ? WHERE workspace = ? AND delivery = ?",
  );
  return (row: MessageRow, move: Move, { now, run }: Moment): void => {
    const { to } = move;
    const moved = setState.run(
      row.seq,
      row.state,
      to,
      move.reason ?? null,
      move.countsAsAttempt ? 1 : 0,
      now,
      move.nextAttemptAt ?? null,
      run ?? null,
      move.reply?.code ?? null,
      move.reply?.enhanced ?? null,
      move.reply?.text ?? null,
      to === "queued" || to === "dot" ? null : now,
      move.detail ?? null,
    );
    if (moved.changes === 0) throw new Error(`message ${row.seq} left the state ${row.state} unseen`);
    if (to === "skipped") countSkip.run(row.mailing, present(move.reason, "reason of a skip"));
    if (row.kind === "transactional" && row.isTest === 0 && to !== "queued" && to !== "dot")
      setMessage.run(to, row.workspace, row.seq);
  };
}

/**
 * Writes the sum of the moves for one mailing: its counters and its reservation. If nothing is owed any more, the
 * mailing ends.
 */
function bookkeeping(sqlite: Database) {
  // The counters in `mailings` are named after the states.
  const count = sqlite.query<Left, number[]>(
    `UPDATE mailings SET queued = queued + ?, dot = dot + ?, sent = sent + ?, bounced = bounced + ?, failed = failed + ?,
       uncertain = uncertain + ?, skipped = skipped + ?, accepted = accepted + ? WHERE seq = ? RETURNING queued, dot, phase`,
  );
  // Confirmations and automation mail never finish, because the next message may come at any time. A stopped
  // mailing of a campaign finishes only if the campaign still exists; otherwise it was deleted.
  const finish = sqlite.query(
    `UPDATE mailings SET phase = 'finished', finished_at = ?
     WHERE seq = ? AND kind NOT IN ('confirmation', 'automation') AND (phase = 'sending'
       OR (phase = 'stopped' AND (kind = 'transactional' OR EXISTS (SELECT 1 FROM campaigns WHERE mailing = mailings.seq))))`,
  );
  const finishCampaign = sqlite.query(
    "UPDATE campaigns SET status = 'SENT', sent_at = ?, blocked = NULL, paused = NULL WHERE mailing = ?",
  );
  const tellCampaign = campaignOutbox(sqlite);
  const giveBack = sqlite.query(
    `UPDATE sending_usage SET n = max(0, n - ?2) WHERE (workspace, period) IN (
       SELECT workspace, reserved_day FROM mailings WHERE seq = ?1
       UNION ALL SELECT workspace, reserved_month FROM mailings WHERE seq = ?1)`,
  );

  return (mailing: number, account: Account, now: number): void => {
    const { queued, dot, sent, bounced, failed, uncertain, skipped, accepted, freed } = account;
    const left = present(
      count.get(queued, dot, sent, bounced, failed, uncertain, skipped, accepted, mailing),
      "mailing of a message",
    );
    if (freed > 0) giveBack.run(mailing, freed);
    const mayEnd = left.phase === "sending" || left.phase === "stopped";
    if (!mayEnd || left.queued > 0 || left.dot > 0) return;
    finish.run(now, mailing);
    if (finishCampaign.run(now, mailing).changes > 0) tellCampaign(mailing, "campaign.finished", now);
  };
}
