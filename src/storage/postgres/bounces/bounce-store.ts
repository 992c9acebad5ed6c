import { SOFT_REPORTS_WITHIN_MS } from "#bounces/effect.ts";
import type { BounceStore, FittingReport } from "#bounces/store.ts";
import { decideOnComplaint } from "#contacts/consent/consent.ts";
import { BY_COMPLAINT } from "#contacts/consent/consent-entry.ts";
import { isStored, moveBy } from "#storage/common/ledger/bounce-moves.ts";
import { bounceHard, holdMailed } from "#storage/postgres/consent/consent-writes.ts";
import { optOutWrite } from "#storage/postgres/consent/opt-out.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { finishEmptied } from "#storage/postgres/ledger/moves/finishing.ts";
import { lockMessages, type MessageRow } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { newTally } from "#storage/postgres/ledger/moves/tally.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { bounceReports } from "#storage/postgres/schema/schema.ts";
import { messageOutbox } from "#storage/postgres/webhooks/message-outbox.ts";
import { messageFinds } from "./message-finds.ts";
import { unreadMails } from "./unread-mails.ts";

type Decide = Parameters<BounceStore["apply"]>[1];
type Applied = { readonly isNew: boolean; readonly lessOwed: readonly number[] };

/** A message may still name a contact that was deleted while it was written. */
const SAVE = `INSERT INTO bounce_reports (workspace, delivery, contact, address, kind, reason, status, words, way, at)
  VALUES ($1, $2, (SELECT seq FROM contacts WHERE seq = $3 FOR KEY SHARE), $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`;
/** Reports about the same address run one after the other, for any message: each counts those before it. */
const LOCK_ADDRESS = "SELECT pg_advisory_xact_lock(hashtextextended('reports of ' || $2::text, $1::int8))";
const SOFT_AT = `SELECT at FROM bounce_reports
  WHERE workspace = $1 AND address = $2 AND kind = 'soft' AND at > $3 ORDER BY at DESC LIMIT 1000`;
const MARK_COMPLAINT = "UPDATE deliveries SET complained_at = $1 WHERE seq = $2 AND complained_at IS NULL";

export function bounceStore(database: PostgresDatabase): BounceStore {
  return {
    ...messageFinds(database),
    ...unreadMails(database),

    async apply(report, decide) {
      const { isNew, lessOwed } = await database.write((tx) => apply(tx, report, decide));
      await finishEmptied(database, lessOwed, report.at);
      return isNew;
    },
  };
}

async function apply(tx: Session, report: FittingReport, decide: Decide): Promise<Applied> {
  const { message, kind, at } = report;
  await holdMailed(tx, [message]);
  const [row] = await lockMessages(tx, "d.seq = $1", [message]);
  if (row === undefined || (isStored(kind) && !(await keep(tx, row, report))))
    return { isNew: false, lessOwed: [] };
  const strikes = kind === "soft" ? await strikesOf(tx, row, at) : [];
  const effect = decide({ state: row.state, strikes });
  const tally = newTally(tx);
  for (const state of effect.moves) tally.move(row, moveBy(report, state), { now: at });
  const lessOwed = await tally.book();
  const { workspace, address } = row;
  if (effect.person === "bounced") await bounceHard(tx, { workspace, address, now: at });
  if (effect.person === "complained") await complain(tx, row, at);
  return { isNew: isStored(kind) || effect.moves.length > 0, lessOwed };
}

/** False: the message already has a report of this kind. */
async function keep(tx: Session, row: MessageRow, report: FittingReport): Promise<boolean> {
  const { kind, reason, status, words, way, at } = report;
  const values = [row.workspace, row.seq, row.contact, row.address, kind, reason, status, words, way, at];
  return (await tx.run(SAVE, values)) > 0;
}

async function strikesOf(tx: Session, { workspace, address }: MessageRow, at: number): Promise<number[]> {
  await tx.rows(LOCK_ADDRESS, [workspace, address]);
  const since = at - SOFT_REPORTS_WITHIN_MS;
  const rows = await tx.rows<Row<typeof bounceReports, "at">>(SOFT_AT, [workspace, address, since]);
  return rows.map((each) => each.at);
}

async function complain(tx: Session, row: MessageRow, at: number): Promise<void> {
  if ((await tx.run(MARK_COMPLAINT, [at, row.seq])) > 0) {
    const outbox = messageOutbox(tx);
    await outbox.add("email.complained", row.workspace, at, () => row);
    await outbox.book();
  }
  const { workspace, address, contactId } = row;
  await optOutWrite(tx, workspace, { address, contactId, origin: BY_COMPLAINT, at }, decideOnComplaint);
}
