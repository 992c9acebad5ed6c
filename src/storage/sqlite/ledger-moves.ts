/**
 * The arrows of the ledger (deliveries/ledger.ts) as statements. Every function runs inside a transaction of the write
 * queue, names the state it leaves, and moves the mailing's counters with the row.
 */
import type { Database } from "bun:sqlite";
import type { DeliveryState } from "#deliveries/ledger.ts";

export type MessageRow = {
  seq: number;
  mailing: number;
  address: string;
  state: DeliveryState;
  contact: number | null;
  workspace: number;
  kind: "campaign" | "automation" | "transactional" | "confirmation";
  phase: "planning" | "sending" | "finished" | "stopped";
  held: number;
};

type Counters = { queued: number; dot: number; phase: string };

export type LedgerMoves = ReturnType<typeof ledgerMoves>;

export function ledgerMoves(sqlite: Database) {
  const find = sqlite.query<MessageRow, [number]>(
    `SELECT d.seq, d.mailing, d.address, d.state, d.contact, m.workspace, m.kind, m.phase, m.held
     FROM deliveries d JOIN mailings m ON m.seq = d.mailing WHERE d.seq = ?`,
  );
  const setState = sqlite.query(
    `UPDATE deliveries SET state = $to, reason = $reason, attempts = attempts + $attempts,
       first_attempt_at = coalesce(first_attempt_at, $now), next_attempt_at = $nextAttemptAt, run = coalesce($run, run),
       reply_code = coalesce($code, reply_code), reply_enhanced = iif($code IS NULL, reply_enhanced, $enhanced),
       reply_text = coalesce($text, reply_text), settled_at = $settledAt
     WHERE seq = $seq AND state = $from`,
  );
  // Confirmations and automation mail go on for ever: the next message may come at any time.
  const finish = sqlite.query(
    `UPDATE mailings SET phase = 'finished', finished_at = ?
     WHERE seq = ? AND phase = 'sending' AND kind NOT IN ('confirmation', 'automation')`,
  );
  const finishCampaign = sqlite.query(
    "UPDATE campaigns SET status = 'SENT', sent_at = ?, blocked = NULL WHERE mailing = ?",
  );
  const countSkip = sqlite.query(
    "INSERT INTO mailing_skips VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1",
  );
  const giveBack = sqlite.query(
    `UPDATE sending_usage SET n = max(0, n - 1) WHERE (workspace, period) IN (
       SELECT workspace, reserved_day FROM mailings WHERE seq = $mailing
       UNION ALL SELECT workspace, reserved_month FROM mailings WHERE seq = $mailing)`,
  );

  /** One prepared statement for each arrow: the columns of `mailings` have the names of the states. */
  const counterMoves = new Map<string, ReturnType<typeof sqlite.query<Counters, [number]>>>();
  const moveCounters = (mailing: number, from: DeliveryState, to: DeliveryState): Counters => {
    const arrow = `${from} ${to}`;
    let statement = counterMoves.get(arrow);
    if (!statement) {
      const accepted = to === "sent" ? ", accepted = accepted + 1" : "";
      // A column that is set twice in one UPDATE keeps the last value only: a row that stays `queued` moves no counter.
      const moved = from === to ? `${from} = ${from}` : `${from} = ${from} - 1, ${to} = ${to} + 1${accepted}`;
      statement = sqlite.query<Counters, [number]>(
        `UPDATE mailings SET ${moved} WHERE seq = ? RETURNING queued, dot, phase`,
      );
      counterMoves.set(arrow, statement);
    }
    return statement.get(mailing)!;
  };

  const finishIfNothingIsOwed = (mailing: number, left: Counters, now: number): void => {
    if (left.phase !== "sending" || left.queued > 0 || left.dot > 0) return;
    finish.run(now, mailing);
    finishCampaign.run(now, mailing);
  };

  return {
    find: (message: number): MessageRow | null => find.get(message),

    /** Moves a row along one arrow. The reservation of a message that will never go out is given back, once. */
    move(row: MessageRow, to: DeliveryState, change: Change): void {
      const moved = setState.run({
        to,
        from: row.state,
        seq: row.seq,
        reason: change.reason ?? null,
        attempts: change.countsAsAttempt ? 1 : 0,
        now: change.now,
        nextAttemptAt: change.nextAttemptAt ?? null,
        run: change.run ?? null,
        code: change.reply?.code ?? null,
        enhanced: change.reply?.enhanced ?? null,
        text: change.reply?.text ?? null,
        settledAt: to === "queued" || to === "dot" ? null : change.now,
      });
      if (moved.changes === 0) throw new Error(`message ${row.seq} left the state ${row.state} unseen`);
      const left = moveCounters(row.mailing, row.state, to);
      if (to === "skipped") countSkip.run(row.mailing, change.reason!);
      if (freesReservation(row, to)) giveBack.run({ mailing: row.mailing });
      finishIfNothingIsOwed(row.mailing, left, change.now);
    },

    finishIfNothingIsOwed,
  };
}

/**
 * Whether the move takes a message out of what cap and limit count. One that bounces after it was sent stays counted. A
 * mailing that was stopped gave back all that was queued then: its queued rows hold nothing any more, and one that comes
 * back from its dot is not tried again.
 */
function freesReservation({ state, phase }: MessageRow, to: DeliveryState): boolean {
  const ends = to === "skipped" || to === "failed" || to === "bounced";
  if (phase === "stopped") return state === "dot" && (ends || to === "queued");
  return ends && (state === "queued" || state === "dot");
}

export type Change = {
  readonly now: number;
  readonly reason?: string | null;
  readonly countsAsAttempt: boolean;
  readonly nextAttemptAt?: number | null;
  readonly run?: number;
  readonly reply?: { code: number; enhanced: string | null; text: string } | null;
};
