import type { Database } from "bun:sqlite";
import { barredBy } from "#deliveries/eligibility.ts";
import type { Begun, BegunTest, NewSend, SendStore } from "#transactional/store.ts";
import { TEST_WINDOW_MS } from "#transactional/test-rate.ts";
import { ledgerMoves } from "#storage/sqlite/ledger/moves/ledger-moves.ts";
import { barringJoins } from "#storage/sqlite/ledger/moves/ledger-rows.ts";
import { sendingUsage } from "#storage/sqlite/ledger/sending-usage.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { sendKeyWrites } from "./send-keys.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { present } from "#core/present.ts";
import type { OuterRow, Row, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, deliveries, mailings, suppressions } from "#storage/sqlite/schema/schema.ts";
import type { PlannedAddress, SendPurpose } from "#storage/common/transactional/planned-address.ts";
import { sendRowOf } from "#storage/common/transactional/send-row.ts";

type AnswerRow = Row<typeof deliveries, "state" | "reason" | "replyCode" | "replyEnhanced" | "replyText"> & {
  number: Value<typeof deliveries, "seq">;
  email: Value<typeof deliveries, "address">;
};
type StandingRow = OuterRow<typeof contacts, "status"> & {
  contact: Value<typeof contacts, "seq"> | null;
  suppression: Value<typeof suppressions, "reason"> | null;
  domainBlocked: number;
};
/** Null for a test, which counts nowhere and is reported to nobody. */
type Written = Pick<NewSend, "id" | "now" | "tags"> & {
  readonly month: string | null;
  readonly from: NewSend["from"] | null;
};
export function sendStore(database: SqliteDatabase, seqOf: WorkspaceSeq): SendStore {
  const { sqlite, writes } = database;
  const moves = ledgerMoves(sqlite);
  const keys = sendKeyWrites(sqlite);
  const planner = sendPlanner(sqlite);
  const rows = sqlite.query<AnswerRow, [number]>(
    `SELECT seq AS number, address AS email, state, reason, reply_code AS replyCode, reply_enhanced AS replyEnhanced,
       reply_text AS replyText
     FROM deliveries WHERE mailing = ? ORDER BY seq`,
  );
  const stopAtDot = sqlite.query<null, [number]>(
    "UPDATE mailings SET phase = 'stopped' WHERE seq = ? AND phase = 'sending' AND dot > 0",
  );

  return {
    findKey: async (workspaceId, key) => keys.find(seqOf(workspaceId), key),

    begin: (send) =>
      writes.write((): Begun => {
        const { keyed, now } = send;
        const workspace = seqOf(send.workspaceId);
        const repeated = send.repeat(keyed && keys.find(workspace, keyed.key));
        if (!repeated.ok) return { kind: "refused", refusal: repeated.refusal };
        if (repeated.value !== null) return { kind: "repeated", answer: repeated.value };
        const planned = send.addresses.map((address) =>
          planner.standing(workspace, address, { isForTest: false }),
        );
        const wanted = planned.filter(({ skip }) => skip === null).length;
        const refusal = send.checkQuota({ wanted, used: planner.used(workspace, send.month) });
        if (refusal) return { kind: "refused", refusal };
        if (keyed) keys.take(workspace, keyed, now);
        return { kind: "begun", mailing: planner.write(workspace, send, planned, wanted), owed: wanted };
      }),

    beginTest: testBeginning(database, seqOf, planner),

    conclude: (send, decide) =>
      writes.write(() => {
        const conclusion = decide(rows.all(send.mailing).map(sendRowOf));
        if (conclusion === null || send.keyed === null) return conclusion;
        const workspace = seqOf(send.workspaceId);
        if (conclusion.isKeyFree) keys.free(workspace, send.keyed.key, send.begunAt);
        else keys.keep(workspace, send.keyed.key, send.begunAt, conclusion.answer);
        return conclusion;
      }),

    giveUp: (mailing, reason, now) =>
      writes.write(() => {
        for (const row of rows.all(mailing)) {
          if (row.state !== "queued") continue;
          const stored = present(moves.find(row.number), "message that was just stored");
          moves.move(stored, { to: "failed", reason: row.reason ?? reason, countsAsAttempt: false }, now);
        }
        stopAtDot.run(mailing);
      }),
  };
}

type EarlierTestRow = {
  readonly at: Value<typeof mailings, "createdAt">;
  readonly addresses: Value<typeof mailings, "planned">;
};

/** Writes the mailing of a test, if the limit for tests allows it. */
function testBeginning(
  { sqlite, writes }: SqliteDatabase,
  seqOf: WorkspaceSeq,
  planner: ReturnType<typeof sendPlanner>,
): SendStore["beginTest"] {
  const earlierTests = sqlite.query<EarlierTestRow, [number, number]>(
    `SELECT created_at AS at, planned AS addresses FROM mailings
     WHERE workspace = ? AND is_test = 1 AND created_at > ? ORDER BY created_at`,
  );
  return (test) =>
    writes.write((): BegunTest => {
      const workspace = seqOf(test.workspaceId);
      const { now } = test;
      const refused = test.checkRate(earlierTests.all(workspace, now - TEST_WINDOW_MS));
      if (refused) return { kind: "too many", ...refused };
      const planned = test.addresses.map((address) =>
        planner.standing(workspace, address, { isForTest: true }),
      );
      const wanted = planned.filter(({ skip }) => skip === null).length;
      const send = { id: test.id, month: null, from: null, now, tags: [] };
      return { kind: "begun", mailing: planner.write(workspace, send, planned, wanted), owed: wanted };
    });
}

/** A request's mailing and its rows, on an open transaction. */
function sendPlanner(sqlite: Database) {
  const standingOf = sqlite.query<StandingRow, { workspace: number; address: string }>(
    `SELECT c.seq AS contact, c.status, s.reason AS suppression, b.domain IS NOT NULL AS domainBlocked
     FROM (SELECT $workspace AS workspace, $address AS address) a
     LEFT JOIN contacts c ON c.workspace = a.workspace AND c.email = a.address
     ${barringJoins("a.workspace", "a.address")}`,
  );
  const insertMailing = sqlite.query<Row<typeof mailings, "seq">, Record<string, string | number | null>>(
    `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at, finished_at, planned, queued,
       skipped, is_test)
     VALUES ($workspace, 'transactional', $id, $phase, $month, $now, $now, $finishedAt, $planned, $wanted, $planned - $wanted,
       $month IS NULL)
     RETURNING seq`,
  );
  const insertTag = sqlite.query("INSERT INTO mailing_tags VALUES (?, ?)");
  const insertContent = sqlite.query("INSERT INTO mailing_contents VALUES (?, ?)");
  const insertRow = rowInsertion(sqlite);
  const insertMessage = sqlite.query<null, [number, number, string, string]>(
    "INSERT INTO messages VALUES (?, ?, ?, ?)",
  );
  const usage = sendingUsage(sqlite);

  return {
    standing(workspace: number, address: string, { isForTest }: SendPurpose): PlannedAddress {
      const found = present(standingOf.get({ workspace, address }), "standing of an address");
      const { contact, domainBlocked, ...standing } = found;
      const given = { ...standing, domainBlocked: domainBlocked === 1, isForTest };
      const skip = barredBy({ ...given, kind: "transactional" });
      return { address, contact: isForTest ? null : contact, skip };
    },

    used: usage.used,

    /** A `month` of null: it is a test, and counts nowhere. */
    write(workspace: number, send: Written, planned: readonly PlannedAddress[], wanted: number): number {
      const { id, month, now } = send;
      const end =
        wanted === 0 ? { phase: "finished", finishedAt: now } : { phase: "sending", finishedAt: null };
      const mailing = insertMailing.get({
        workspace,
        id,
        month,
        now,
        planned: planned.length,
        wanted,
        ...end,
      });
      const { seq } = present(mailing, "mailing that was just made");
      for (const each of planned) {
        const message = insertRow(seq, each, now);
        if (month !== null)
          insertMessage.run(workspace, message, each.address, each.skip === null ? "queued" : "skipped");
      }
      for (const tag of send.tags) insertTag.run(seq, tag);
      if (send.from !== null)
        insertContent.run(seq, JSON.stringify({ from: { address: send.from.address } }));
      if (wanted > 0 && month !== null) usage.reserve(workspace, month, wanted);
      return seq;
    },
  };
}

/** One recipient's row, and its number; a skipped one has ended already. */
function rowInsertion(sqlite: Database) {
  const insert = sqlite.query<Row<typeof deliveries, "seq">, (string | number | null)[]>(
    `INSERT INTO deliveries (mailing, contact, address, state, reason, settled_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING seq`,
  );
  const countSkip = sqlite.query(
    "INSERT INTO mailing_skips VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1",
  );
  return (mailing: number, { address, contact, skip }: PlannedAddress, now: number): number => {
    const end = skip === null ? ["queued", null, null] : ["skipped", skip, now];
    if (skip !== null) countSkip.run(mailing, skip);
    return present(insert.get(mailing, contact, address, ...end), "message that was just stored").seq;
  };
}
