import type { Database } from "bun:sqlite";
import { SOFT_REPORTS_WITHIN_MS, type Effect } from "#bounces/effect.ts";
import type { BounceStore, FittingReport, ReportedMessage, ReportStanding } from "#bounces/store.ts";
import { decideOnComplaint } from "#contacts/consent/consent.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { inATurnOrSlices } from "#storage/sqlite/engine/writes/in-slices.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { hardBounce } from "#storage/sqlite/consent/consent-writes.ts";
import { optOutWrite } from "#storage/sqlite/consent/opt-out.ts";
import { BY_COMPLAINT } from "#contacts/consent/consent-entry.ts";
import { isStored, moveBy } from "#storage/common/ledger/bounce-moves.ts";
import { ledgerMoves, type MessageRow } from "#storage/sqlite/ledger/moves/ledger-moves.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { bounceReports, deliveries, mailings, workspaces } from "#storage/sqlite/schema/schema.ts";
import { unreadMails } from "./unread-mails.ts";
import { WENT } from "#storage/common/ledger/states-in-sql.ts";
import { messageOutbox } from "#storage/sqlite/webhooks/message-outbox.ts";

export function bounceStore(database: SqliteDatabase, seqOf: WorkspaceSeq): BounceStore {
  const { sqlite } = database;
  // So that its statements are defined when the store opens, as all are.
  reportWrites(sqlite);

  return {
    ...messageFinds(sqlite, seqOf),
    ...unreadMails(database, seqOf),
    apply: (report, decide) =>
      inATurnOrSlices(database, (connection) => reportWrites(connection).apply(report, decide)),
  };
}

type Finds = Pick<BounceStore, "findMessage" | "findBySource" | "findSentTo" | "complaintsGoTo">;
type FoundRow = Row<typeof deliveries, "address"> &
  Row<typeof mailings, "isTest"> & {
    number: Value<typeof deliveries, "seq">;
    workspaceId: Value<typeof workspaces, "id">;
  };
type Numbered = { number: Value<typeof deliveries, "seq"> };

function messageFinds(sqlite: Database, seqOf: WorkspaceSeq): Finds {
  const find = sqlite.query<FoundRow, [number]>(
    `SELECT d.seq AS number, w.id AS workspaceId, d.address, m.is_test AS isTest
     FROM deliveries AS d CROSS JOIN mailings AS m ON m.seq = d.mailing CROSS JOIN workspaces AS w ON w.seq = m.workspace
     WHERE d.seq = ?`,
  );
  // An automation has a mailing for each month and letter. Their sources begin with its id and a colon.
  const bySource = sqlite.query<Numbered, [number, string, string, string]>(
    `SELECT d.seq AS number FROM mailings AS m CROSS JOIN deliveries AS d ON d.mailing = m.seq
     WHERE m.workspace = ?1 AND m.kind = ?2 AND (m.source_id = ?3 OR (m.source_id > ?3 || ':' AND m.source_id < ?3 || ';'))
       AND d.address = ?4 AND d.state IN ${WENT} LIMIT 2`,
  );
  // Single mail also goes to people who are no contacts.
  const sentTo = sqlite.query<Numbered, [number, string]>(
    `SELECT number FROM (SELECT d.seq AS number FROM contacts AS c CROSS JOIN deliveries AS d ON d.contact = c.seq
       WHERE c.workspace = ?1 AND c.email = ?2 AND d.address = ?2 AND d.state IN ${WENT} LIMIT 2)
     UNION
     SELECT number FROM (SELECT d.seq AS number FROM messages AS x CROSS JOIN deliveries AS d ON d.seq = x.delivery
       WHERE x.workspace = ?1 AND x.address = ?2 AND d.state IN ${WENT} LIMIT 2)
     LIMIT 2`,
  );
  const complaintBox = sqlite.query<Row<typeof workspaces, "id">, [string]>(
    `SELECT w.id FROM settings AS a JOIN settings AS b ON b.workspace = a.workspace JOIN workspaces AS w ON w.seq = a.workspace
     WHERE a.key = 'bounceDomain' AND a.value = ? AND b.key = 'inboundComplaints' AND b.value = 'on' LIMIT 2`,
  );
  const numbers = (rows: readonly Numbered[]): number[] => rows.map(({ number }) => number);

  return {
    async findMessage(number): Promise<ReportedMessage | null> {
      const row = find.get(number);
      return row && { ...row, isTest: row.isTest === 1 };
    },
    findBySource: async ({ workspaceId, kind, id }, address) =>
      numbers(bySource.all(seqOf(workspaceId), kind, id, address)),
    findSentTo: async (workspaceId, address) => numbers(sentTo.all(seqOf(workspaceId), address)),
    complaintsGoTo: async (domain) => complaintBox.all(domain).map(({ id }) => id),
  };
}

type TimeRow = Row<typeof bounceReports, "at">;

/** On an open transaction. A report yields where it takes somebody off very many lists. */
const reportWrites = oncePerDatabase((sqlite) => {
  const moves = ledgerMoves(sqlite);
  const optOut = optOutWrite(sqlite);
  const save = sqlite.query(
    `INSERT INTO bounce_reports (workspace, delivery, contact, address, kind, reason, status, words, way, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const softAt = sqlite.query<TimeRow, [number, string, number]>(
    "SELECT at FROM bounce_reports WHERE workspace = ? AND address = ? AND kind = 'soft' AND at > ? ORDER BY at DESC LIMIT 1000",
  );
  const newOutbox = messageOutbox(sqlite);
  const markComplaint = sqlite.query<null, [number, number]>(
    "UPDATE deliveries SET complained_at = ? WHERE seq = ? AND complained_at IS NULL",
  );

  const keep = (row: MessageRow, report: FittingReport): boolean => {
    const { kind, reason, status, words, way, at } = report;
    const values = [row.workspace, row.seq, row.contact, row.address, kind, reason, status, words, way, at];
    return save.run(...values).changes > 0;
  };

  const complain = function* (row: MessageRow, at: number): Generator<void, void, void> {
    if (markComplaint.run(at, row.seq).changes > 0) {
      const outbox = newOutbox();
      outbox.add("email.complained", row.workspace, at, () => row);
      outbox.book();
    }
    const { workspace, address, contactId } = row;
    yield* optOut(workspace, { address, contactId, origin: BY_COMPLAINT, at }, decideOnComplaint);
  };

  return {
    *apply(
      report: FittingReport,
      decide: (standing: ReportStanding) => Effect,
    ): Generator<void, boolean, void> {
      const row = moves.find(report.message);
      if (row === null || (isStored(report.kind) && !keep(row, report))) return false;
      const { at } = report;
      const strikes =
        report.kind === "soft"
          ? softAt.all(row.workspace, row.address, at - SOFT_REPORTS_WITHIN_MS).map((each) => each.at)
          : [];
      const effect = decide({ state: row.state, strikes });
      for (const state of effect.moves) moves.move(row, moveBy(report, state), at);
      if (effect.person === "bounced")
        yield* hardBounce(sqlite, { workspace: row.workspace, address: row.address, now: at });
      if (effect.person === "complained") yield* complain(row, at);
      return isStored(report.kind) || effect.moves.length > 0;
    },
  };
});
