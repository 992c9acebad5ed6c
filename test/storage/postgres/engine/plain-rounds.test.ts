/**
 * A plain round is carried out by the database itself, which repeats what the rules say of ordinary messages. So what
 * happens to messages is compared with a database where every round goes by the rules.
 */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { StorageError } from "#core/errors/storage-error.ts";
import { systemClock } from "#core/time/clock.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { dice, seededRandom } from "../../../support/common/dice.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const NOW = 1_800_000_000_000;
const SENT: Outcome = { state: "sent", reply: { code: 250, enhanced: "2.0.0", text: "taken" } };
const LATER: Outcome = { state: "queued", reason: "GREYLISTED", reply: null, nextAttemptAt: NOW + 60_000 };
const NO: Outcome = {
  state: "bounced",
  reason: "USER_UNKNOWN",
  reply: { code: 550, enhanced: "5.1.1", text: "no" },
};
/** No lease ends, however slow the machine is. */
const STILL = { monotonicMs: () => 0 };

type Call = PostgresDatabase["callOften"];
type Side = {
  readonly ledger: LedgerStore;
  readonly run: number;
  readonly sql: SQL;
  /** What plain rounds of it answered. */
  readonly how: unknown[];
  make(prefix: string): Promise<MadeMailing>;
  close(): Promise<void>;
};

/** @param around what stands between the ledger and the calls of plain rounds */
async function openSide(around: (call: Call) => Call): Promise<Side> {
  const database: TestDatabase = await migratedDatabase();
  const sql = new SQL({ url: database.url, max: 1 });
  const open = await openPostgres(database.url, { clock: systemClock, random: seededRandom(1) });
  await sql.unsafe("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
  const how: unknown[] = [];
  const call = around(open.callOften);
  const noted: Call = async <Answer>(text: string, values: Parameters<Call>[1]) => {
    const answer = await call<Answer>(text, values);
    how.push((answer as { how?: string } | null)?.how ?? null);
    return answer;
  };
  const own = ownNode(STILL, { name: "test", version: "0" });
  const ledger = ledgerStore({ ...open, callOften: noted }, own, STILL);
  const { run } = await ledger.join(NOW, false);
  const change = async (text: string) => void (await sql.unsafe(text));
  const values = async (text: string) => (await sql.unsafe(text).values()).map(([first]: unknown[]) => first);
  return {
    ledger,
    run,
    sql,
    how,
    make: (prefix) =>
      makeMailing({ engine: { name: "PostgreSQL" }, opened: { run: change, values } }, { prefix, people: 3 }),
    async close() {
      await Promise.all([open.close(), sql.close()]);
      await database.drop();
    },
  };
}

const COUNTS = "sum(sent)::int8 AS sent, sum(bounced)::int8 AS bounced";
/** All that a round writes, as far as it does not depend on who wrote it. */
const WRITTEN = [
  "SELECT * FROM deliveries ORDER BY seq",
  `SELECT mailing, ${["queued", "dot", "sent", "bounced", "failed", "uncertain", "skipped", "accepted"]
    .map((name) => `sum(${name})::int8 AS ${name}`)
    .join(", ")} FROM tallies GROUP BY mailing ORDER BY mailing`,
  `SELECT mailing, at, ${COUNTS} FROM mailing_activity GROUP BY mailing, at ORDER BY mailing, at`,
  `SELECT workspace, at, ${COUNTS} FROM activity_counts GROUP BY workspace, at ORDER BY workspace, at`,
  "SELECT mailing, state, reason, sum(n)::int8 AS n FROM mailing_reasons GROUP BY mailing, state, reason HAVING sum(n) <> 0 ORDER BY mailing, state, reason",
  "SELECT mailing, reason, sum(n)::int8 AS n FROM mailing_skips GROUP BY mailing, reason ORDER BY mailing, reason",
  "SELECT * FROM retries ORDER BY message",
  "SELECT * FROM delivery_ends ORDER BY mailing, state, message",
  "SELECT workspace, address, kind, count FROM address_strikes ORDER BY address, kind",
  "SELECT workspace, address, reason FROM suppressions ORDER BY address",
  "SELECT id, status FROM contacts ORDER BY id",
  "SELECT webhook, type, created_at FROM webhook_deliveries ORDER BY seq",
  "SELECT seq, phase, held, finished_at FROM mailings ORDER BY seq",
  "SELECT workspace, sum(n)::int8 AS n FROM domain_sends GROUP BY workspace",
];
const writtenIn = async ({ sql }: Side): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (const question of WRITTEN) found.push([question, await sql.unsafe(question).values()]);
  return found;
};

type Place = { readonly mailing: number; readonly message: number; readonly address: string };
type Change = (at: Place) => string;

const inMailing =
  (change: string): Change =>
  ({ mailing }) =>
    `UPDATE mailings SET ${change} WHERE seq = ${mailing}`;
const inRow =
  (change: string): Change =>
  ({ message }) =>
    `UPDATE deliveries SET ${change} WHERE seq = ${message}`;
const ofContact =
  (change: string): Change =>
  ({ address }) =>
    `UPDATE contacts SET ${change} WHERE email = '${address}'`;
const suppressed =
  (reason: string): Change =>
  ({ address }) =>
    `INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, '${address}', '${reason}', 1) ON CONFLICT DO NOTHING`;

const listening =
  (state: string): Change =>
  () =>
    `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at)
     VALUES ('wh_one', 1, 'https://a.example', '["email.sent"]', '${state}', 's', 1) ON CONFLICT DO NOTHING`;

/** What may be otherwise with a message: each of them is something that the rules look at. */
const CHANGES: Readonly<Record<string, Change>> = {
  "the contact is PENDING": ofContact("status = 'PENDING'"),
  "the contact is UNSUBSCRIBED": ofContact("status = 'UNSUBSCRIBED'"),
  "the contact is BOUNCED": ofContact("status = 'BOUNCED'"),
  "the contact has another address": ofContact("email = 'moved-' || email"),
  "the contact is gone": ({ address }) => `DELETE FROM contacts WHERE email = '${address}'`,
  "suppressed by hand": suppressed("MANUAL"),
  "suppressed by a bounce": suppressed("HARD_BOUNCE"),
  "suppressed by a complaint": suppressed("COMPLAINT"),
  "suppressed as unsubscribed": suppressed("UNSUBSCRIBED"),
  "the domain is blocked": () =>
    "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'example.com', 1) ON CONFLICT DO NOTHING",
  "the mailing is stopped": inMailing("phase = 'stopped'"),
  "the mailing is planned": inMailing("phase = 'planning'"),
  "the mailing is finished": inMailing("phase = 'finished'"),
  "the mailing is held": inMailing("held = 1"),
  "it is a test": inMailing("is_test = true"),
  "it is an automation's": inMailing("kind = 'automation'"),
  "it is a confirmation": inMailing("kind = 'confirmation'"),
  "it is a request's": inMailing("kind = 'transactional'"),
  "the row is sent": inRow("state = 'sent', settled_at = 5"),
  "the row is uncertain": inRow("state = 'uncertain', reason = 'SERVER_STOPPED'"),
  "the row was deferred": ({ message, mailing }) =>
    `WITH d AS (UPDATE deliveries SET reason = 'GREYLISTED', next_attempt_at = 7, attempts = 1 WHERE seq = ${message} AND state IN ('queued', 'dot')),
       r AS (INSERT INTO mailing_reasons (mailing, state, reason, n) VALUES (${mailing}, 'queued', 'GREYLISTED', 1))
     INSERT INTO retries (message, mailing, at) VALUES (${message}, ${mailing}, 7) ON CONFLICT DO NOTHING`,
  "the row has words of an earlier attempt": inRow("detail = 'before'"),
  "another node has the dot": inRow("node = 999"),
  "the address has strikes": ({ address }) =>
    `INSERT INTO address_strikes VALUES (1, '${address}', 'MAILBOX_FULL', 1, 1, 1) ON CONFLICT DO NOTHING`,
  "a webhook listens": listening("ENABLED"),
  "a held webhook listens": listening("HELD"),
};
/** What holds back other messages than these, or another workspace's. */
const OF_OTHERS = [
  "INSERT INTO workspaces (id, created_at) VALUES ('ws_two', 1)",
  `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
   VALUES ('con_else', 2, 'others0@example.com', '', '', 'UNSUBSCRIBED', '', 1)`,
  `INSERT INTO suppressions (workspace, address, reason, created_at)
   VALUES (2, 'others0@example.com', 'MANUAL', 1), (1, 'else@example.com', 'MANUAL', 1)`,
  "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (2, 'example.com', 1), (1, 'else.example', 1)",
  `INSERT INTO address_strikes VALUES (2, 'others0@example.com', 'MAILBOX_FULL', 1, 1, 1),
   (1, 'else@example.com', 'MAILBOX_FULL', 1, 1, 1)`,
  `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at)
   VALUES ('wh_two', 2, 'https://a.example', '["email.sent"]', 'ENABLED', 's', 1),
   ('wh_off', 1, 'https://a.example', '["email.sent"]', 'DISABLED', 's', 1)`,
];
const NAMES = Object.keys(CHANGES);
const CLEAN = ["DELETE FROM blocked_domains", "DELETE FROM webhook_deliveries", "DELETE FROM webhooks"];

describe.skipIf(await lacksPostgres())("plain rounds of the ledger", () => {
  let plain: Side;
  let careful: Side;
  /** The answer of the next plain round is lost: before it is carried out, or afterwards. */
  let lose: "before" | "after" | null = null;
  let lost: (() => Promise<unknown>) | null = null;

  beforeAll(async () => {
    plain = await openSide((call) => async (text, values) => {
      if (lose === null) return await call(text, values);
      const when = lose;
      lose = null;
      lost = () => call(text, values);
      if (when === "after") await call(text, values);
      throw new StorageError("unreachable", null);
    });
    careful = await openSide(() => async () => null);
  });
  afterAll(async () => {
    await plain.close();
    await careful.close();
  });

  /** The same on both sides; what the two answered, and what they wrote, is the same. */
  const alike = async (work: (side: Side) => Promise<unknown>): Promise<unknown> => {
    const [ours, theirs] = [await work(plain), await work(careful)];
    expect(ours).toEqual(theirs);
    expect(await writtenIn(plain)).toEqual(await writtenIn(careful));
    return ours;
  };
  const onBoth = async (statements: readonly string[]): Promise<void> => {
    for (const { sql } of [plain, careful])
      for (const statement of statements) await sql.unsafe(statement).simple();
  };
  const change = (prefix: string, { mailing, messages }: MadeMailing, names: readonly string[]) => {
    const at = { mailing, message: messages[0]!, address: `${prefix}0@example.com` };
    return onBoth(names.map((name) => CHANGES[name]!(at)));
  };
  const makeBoth = async (prefix: string): Promise<MadeMailing> => {
    const made = await plain.make(prefix);
    expect(await careful.make(prefix)).toEqual(made);
    return made;
  };
  /** One message with something special, another one beside it in the same round. */
  const go = async (prefix: string, before: readonly string[], atDot: readonly string[]): Promise<void> => {
    const made = await makeBoth(prefix);
    const both = made.messages.slice(0, 2);
    await change(prefix, made, before);
    await alike(({ ledger, run }) => Promise.all(both.map((one) => claimDot(ledger, one, run, NOW))));
    await change(prefix, made, atDot);
    await alike(({ ledger }) =>
      Promise.all(both.map((one) => ledger.settle(one, SENT, NOW + 5, null, "bulk"))),
    );
    await onBoth(CLEAN);
  };

  test("what is ordinary is written by the database itself", async () => {
    const before = plain.how.length;
    await go("plain", [], []);
    expect(plain.how.slice(before)).toEqual(["written", "written"]);
  });

  test("so is what others cannot be sent, because it says nothing of these messages", async () => {
    const before = plain.how.length;
    await onBoth(OF_OTHERS);
    await go("others", [], []);
    expect(plain.how.slice(before)).toEqual(["written", "written"]);
  });

  test.each(NAMES)("as by the rules before the dot: %s", (name) =>
    go(`d${NAMES.indexOf(name)}x`, [name], []),
  );

  test.each(NAMES)("as by the rules at the dot: %s", (name) => go(`s${NAMES.indexOf(name)}x`, [], [name]));

  test("as by the rules whatever comes together", async () => {
    const { pick, roll } = dice(20_261_124);
    for (let i = 0; i < 15; i++) {
      const some = (): string[] => Array.from({ length: roll(3) }, () => pick(NAMES));
      await go(`m${i}x`, some(), some());
    }
  });

  test("as by the rules when it does not go well", async () => {
    const made = await makeBoth("odd");
    const [first, second, third] = made.messages as [number, number, number];
    const claim = (message: number, isCounted = false) =>
      alike(({ ledger, run }) => claimDot(ledger, message, run, NOW, { isCounted }));
    await claim(first, true);
    await claim(second);
    await claim(third);
    await alike(({ ledger }) => ledger.settle(first, LATER, NOW + 1, null, "bulk"));
    await claim(first);
    await alike(({ ledger }) => ledger.settle(first, SENT, NOW + 2, null, "bulk"));
    await alike(({ ledger }) => ledger.settle(second, NO, NOW + 3, null, "bulk"));
    await alike(({ ledger }) => ledger.settle(third, SENT, NOW + 4, null, "bulk"));
    await alike(({ ledger }) => ledger.progress(made.mailing));
  });

  test("a round whose answer is lost is done once, whether it was written or not", async () => {
    for (const when of ["before", "after"] as const) {
      const { mailing, messages } = await plain.make(`lost${when}`);
      const [message, other] = messages as [number, number];
      lose = when;
      expect(await claimDot(plain.ledger, message, plain.run, NOW)).toBe("dot");
      lose = when;
      await plain.ledger.settle(message, SENT, NOW, null, "bulk");
      expect(await plain.ledger.progress(mailing)).toMatchObject({ sent: 1, accepted: 1, remaining: 2 });
      expect(await claimDot(plain.ledger, message, plain.run, NOW)).toBe("gone");
      expect(await claimDot(plain.ledger, other, plain.run, NOW)).toBe("dot");
      expect(plain.how.at(-1)).toBe("written");
    }
  });

  test("a round whose answer is lost is not carried out later, when its message is owed again", async () => {
    const { messages } = await plain.make("late");
    const message = messages[0]!;
    lose = "before";
    expect(await claimDot(plain.ledger, message, plain.run, NOW)).toBe("dot");
    await plain.ledger.settle(message, { state: "untouched", reply: null }, NOW, null, "bulk");
    expect(await lost?.()).toMatchObject({ how: "left" });
    const state = `SELECT state FROM deliveries WHERE seq = ${message}`;
    expect([...(await plain.sql.unsafe(state))]).toEqual([{ state: "queued" }]);
    expect(await claimDot(plain.ledger, message, plain.run, NOW)).toBe("dot");
  });
});
