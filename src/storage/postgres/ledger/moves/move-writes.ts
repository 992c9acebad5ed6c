import { present } from "#core/present.ts";
import { storableText } from "#core/text/stored-text.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";
import type { Move } from "#deliveries/moves/move.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { MessageRow } from "./ledger-rows.ts";

/** When a row is moved, and which node has it afterwards, if any. */
export type Moment = { readonly now: number; readonly node?: number };

/** One move of a row, with the row's earlier state. */
export type MoveMade = Pick<
  MessageRow,
  "seq" | "mailing" | "workspace" | "kind" | "isTest" | "state" | "reason"
> & { readonly move: Move; readonly at: Moment };

/**
 * A deferred row keeps its time while it is at its dot: if it comes back untouched, it is due as before. The keys
 * are passed separately too: a statement that was planned while the table was small would read all of a large one.
 */
const SET_STATES = `UPDATE deliveries AS d SET state = r.to_state, reason = r.reason, attempts = attempts + r.counted,
    first_attempt_at = coalesce(first_attempt_at, r.now),
    next_attempt_at = CASE r.to_state WHEN 'dot' THEN next_attempt_at WHEN 'queued' THEN coalesce(r.next, next_attempt_at) END,
    node = coalesce(r.node, d.node),
    reply_code = coalesce(r.code, reply_code), reply_text = coalesce(r.words, reply_text),
    reply_enhanced = CASE WHEN r.code IS NULL THEN reply_enhanced ELSE r.enhanced END, detail = r.detail,
    settled_at = CASE d.state WHEN 'sent' THEN settled_at ELSE r.settled END,
    bounced_at = CASE d.state WHEN 'sent' THEN r.settled ELSE bounced_at END
  FROM jsonb_to_recordset($1::text::jsonb) AS r (seq int8, from_state text, to_state text, reason text, counted int4,
    now int8, next int8, node int8, code int4, enhanced text, words text, detail text, settled int8)
  WHERE d.seq = ANY($2::int8[]) AND d.seq = r.seq AND d.state = r.from_state`;

const DEFER = `INSERT INTO retries (message, mailing, at)
  SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[])
  ON CONFLICT (message) DO UPDATE SET at = excluded.at, node = NULL`;
const SETTLE_RETRIES = "DELETE FROM retries WHERE message = ANY($1::int8[])";
const ADD_ENDS = `INSERT INTO delivery_ends (mailing, state, message, reason)
  SELECT * FROM unnest($1::int8[], $2::text[], $3::int8[], $4::text[]) ON CONFLICT DO NOTHING`;
const REMOVE_ENDS =
  "DELETE FROM delivery_ends WHERE message = ANY($1::int8[]) AND state IN ('uncertain', 'sent')";
/** The table by which people look up transactional mail. While a message is in progress it stays `queued` there. */
const SET_MESSAGES = `UPDATE messages AS x SET state = r.state
  FROM unnest($1::int8[], $2::int8[], $3::text[]) AS r (workspace, delivery, state)
  WHERE x.workspace = r.workspace AND x.delivery = r.delivery`;

/**
 * Few messages end in these states. They have their own table, because no index may contain the state. It also has those
 * that were sent as a report or the recipient shows: only they have a reason.
 */
const RARE_ENDS: readonly DeliveryState[] = ["bounced", "failed", "uncertain", "skipped"];
const isShownSent = (state: DeliveryState, reason: string | null): boolean =>
  state === "sent" && reason !== null;
const isOpen = (state: DeliveryState): boolean => state === "queued" || state === "dot";

/** Writes moves to their rows, each row at most once. */
export async function writeMoves(tx: Session, made: readonly MoveMade[]): Promise<void> {
  if (made.length === 0) return;
  const changed = await tx.run(SET_STATES, [JSON.stringify(made.map(columnsOf)), seqsOf(made)]);
  if (changed !== made.length) throw new Error("Fault in Postrider: a message left its state unseen.");
  const deferred = made.filter(({ move }) => move.to === "queued" && (move.nextAttemptAt ?? null) !== null);
  const settled = made.filter(({ state, move }) => isOpen(state) && !isOpen(move.to));
  const ended = made.filter(
    ({ move }) => RARE_ENDS.includes(move.to) || isShownSent(move.to, move.reason ?? null),
  );
  const shown = made.filter(
    ({ kind, isTest, move }) => kind === "transactional" && !isTest && !isOpen(move.to),
  );
  // From the other ends nothing goes on.
  const goneOn = made.filter(({ state, reason }) => state === "uncertain" || isShownSent(state, reason));
  await Promise.all([
    ...some(deferred, () =>
      tx.run(DEFER, [
        seqsOf(deferred),
        deferred.map(({ mailing }) => mailing),
        deferred.map(({ move }) => present(move.nextAttemptAt, "time of a retry")),
      ]),
    ),
    ...some(settled, () => tx.run(SETTLE_RETRIES, [seqsOf(settled)])),
    // Before the new ends: one of them may be `sent`.
    ...some(goneOn, () => tx.run(REMOVE_ENDS, [seqsOf(goneOn)])),
    ...some(ended, () =>
      tx.run(ADD_ENDS, [
        ended.map(({ mailing }) => mailing),
        ended.map(({ move }) => move.to),
        seqsOf(ended),
        ended.map(({ move }) => move.reason ?? null),
      ]),
    ),
    ...some(shown, () =>
      tx.run(SET_MESSAGES, [
        shown.map(({ workspace }) => workspace),
        seqsOf(shown),
        shown.map(({ move }) => move.to),
      ]),
    ),
  ]);
}

const some = <T>(rows: readonly unknown[], work: () => Promise<T>): Promise<T>[] =>
  rows.length > 0 ? [work()] : [];
const seqsOf = (made: readonly MoveMade[]): number[] => made.map(({ seq }) => seq);

const columnsOf = ({ seq, state, move, at }: MoveMade) => ({
  seq,
  from_state: state,
  to_state: move.to,
  reason: move.reason ?? null,
  counted: move.countsAsAttempt ? 1 : 0,
  now: at.now,
  next: move.nextAttemptAt ?? null,
  node: at.node ?? null,
  code: move.reply?.code ?? null,
  enhanced: move.reply?.enhanced ?? null,
  words: textOrNull(move.reply?.text),
  detail: textOrNull(move.detail),
  settled: isOpen(move.to) ? null : at.now,
});

/** A relay's reply may contain what PostgreSQL cannot store. */
const textOrNull = (text: string | null | undefined): string | null =>
  text ? storableText(text) : (text ?? null);
