import type { Clock } from "#core/time/clock.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { finishEmptied } from "#storage/postgres/ledger/moves/finishing.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { lockUsage, reserveUsage } from "#storage/postgres/ledger/sending-usage.ts";
import { lockMessages } from "#storage/postgres/ledger/moves/ledger-rows.ts";
import { newTally } from "#storage/postgres/ledger/moves/tally.ts";
import { sendRowOf, type StoredSendRow } from "#storage/common/transactional/send-row.ts";
import type { Begun, SendStore } from "#transactional/store.ts";
import type { EarlierTest } from "#transactional/test-rate.ts";
import { TEST_WINDOW_MS } from "#transactional/test-rate.ts";
import { lockWorkspace } from "#storage/postgres/workspaces/lock-workspace.ts";
import { beginSurely } from "./lost-answer.ts";
import { findKey, freeKey, keepAnswer, lockKey, takeKey } from "./send-keys.ts";
import { planAddresses, writeSend } from "./send-writes.ts";

const ROWS = `SELECT seq AS number, address AS email, state, reason, reply_code, reply_enhanced, reply_text
  FROM deliveries WHERE mailing = $1 ORDER BY seq`;
/** After the messages, as every round locks them before their mailing. */
const STOP = "UPDATE mailings SET phase = 'stopped' WHERE seq = $1 AND phase = 'sending'";
const EARLIER_TESTS = `SELECT m.created_at AS at,
    (SELECT coalesce(sum(t.planned), 0)::int8 FROM tallies AS t WHERE t.mailing = m.seq) AS addresses
  FROM mailings AS m WHERE m.workspace = $1 AND m.is_test AND m.created_at > $2 ORDER BY m.created_at`;

export function sendStore(database: PostgresDatabase, own: OwnNode, clock: Clock): SendStore {
  const { read, write, seqOf } = database;

  return {
    async findKey(workspaceId, key) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => findKey(session, workspace, key));
    },

    begin: requestBeginning(database, own, clock),
    beginTest: testBeginning(database, own, clock),

    async conclude({ workspaceId, mailing, keyed, begunAt }, decide) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const conclusion = decide((await tx.rows<StoredSendRow>(ROWS, [mailing])).map(sendRowOf));
        if (conclusion === null || keyed === null) return conclusion;
        if (conclusion.isKeyFree) await freeKey(tx, workspace, keyed.key, begunAt);
        else await keepAnswer(tx, workspace, keyed.key, begunAt, conclusion.answer);
        return conclusion;
      });
    },

    async giveUp(mailing, reason, now) {
      const lessOwed = await write(async (tx) => {
        const tally = newTally(tx);
        const rows = await lockMessages(tx, "d.mailing = $1 AND d.state IN ('queued', 'dot')", [mailing]);
        for (const row of rows.filter(({ state }) => state === "queued"))
          tally.move(row, { to: "failed", reason: row.reason ?? reason, countsAsAttempt: false }, { now });
        const failed = await tally.book();
        if (rows.some(({ state }) => state === "dot")) await tx.run(STOP, [mailing]);
        return failed;
      });
      await finishEmptied(database, lessOwed, now);
    },
  };
}

/** Locks the key, then the month's usage: simultaneous requests of a workspace run one after the other. */
function requestBeginning(database: PostgresDatabase, own: OwnNode, clock: Clock): SendStore["begin"] {
  return async (send) => {
    const { keyed, now, month } = send;
    const workspace = await database.seqOf(send.workspaceId);
    return await beginSurely(database, own, clock, send.id, async (tx, earlier): Promise<Begun> => {
      const kept = keyed && (await lockKey(tx, workspace, keyed, now));
      const written = await earlier(tx);
      if (written !== null) return { kind: "begun", ...written };
      const repeated = send.repeat(kept);
      if (!repeated.ok) return { kind: "refused", refusal: repeated.refusal };
      if (repeated.value !== null) return { kind: "repeated", answer: repeated.value };
      const planned = await planAddresses(tx, workspace, send.addresses, { isForTest: false });
      const wanted = planned.filter(({ skip }) => skip === null).length;
      const used = (await lockUsage(tx, workspace, [month])).get(month) ?? 0;
      const refusal = send.checkQuota({ wanted, used });
      if (refusal) {
        if (keyed && kept === null) await freeKey(tx, workspace, keyed.key, now);
        return { kind: "refused", refusal };
      }
      if (keyed) await takeKey(tx, workspace, keyed, now);
      const mailing = await writeSend(tx, workspace, { ...send, node: own.number }, planned);
      if (wanted > 0) await reserveUsage(tx, workspace, month, wanted);
      return { kind: "begun", mailing, owed: wanted };
    });
  };
}

/** Writes the mailing of a test, if the limit for tests allows it; the tests of a workspace run one after the other. */
function testBeginning(database: PostgresDatabase, own: OwnNode, clock: Clock): SendStore["beginTest"] {
  return async (test) => {
    const { id, now } = test;
    const workspace = await database.seqOf(test.workspaceId);
    return await beginSurely(database, own, clock, id, async (tx, earlier) => {
      await lockWorkspace(tx, workspace);
      const written = await earlier(tx);
      if (written !== null) return { kind: "begun" as const, ...written };
      const refused = test.checkRate(
        await tx.rows<EarlierTest>(EARLIER_TESTS, [workspace, now - TEST_WINDOW_MS]),
      );
      if (refused) return { kind: "too many" as const, ...refused };
      const planned = await planAddresses(tx, workspace, test.addresses, { isForTest: true });
      const send = { id, month: null, from: null, now, tags: [], node: own.number };
      const owed = planned.filter(({ skip }) => skip === null).length;
      return { kind: "begun" as const, mailing: await writeSend(tx, workspace, send, planned), owed };
    });
  };
}
