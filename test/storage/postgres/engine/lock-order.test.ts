/**
 * Transactions that change the same people and their messages take locks in one order, contacts first. So none of
 * them is undone by a deadlock and run again: the tests count how often the work of each one ran.
 */
import { SQL } from "bun";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { effectOf } from "#bounces/effect.ts";
import { systemClock } from "#core/time/clock.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import { bounceStore } from "#storage/postgres/bounces/bounce-store.ts";
import { suppressionStore } from "#storage/postgres/consent/suppression-store.ts";
import { contactStore } from "#storage/postgres/contacts/contact-store.ts";
import { holdByEmail } from "#storage/postgres/contacts/contact-writes.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { signupStore } from "#storage/postgres/forms/signup-store.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { listStore } from "#storage/postgres/lists/list-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const NOW = 1_800_000_000_000;
const REFUSED = {
  state: "bounced",
  reason: "HARD_BOUNCE",
  reply: { code: 550, enhanced: "5.1.1", text: "no such user" },
} as const;
const MANUAL = { email: "nobody@example.com", reason: "MANUAL", source: "api", createdAt: NOW } as const;
const FRESH = { id: "con_fresh", createdAt: NOW };
const WAITING =
  "SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe.skipIf(await lacksPostgres())("who writes about the same people at the same time", () => {
  let home: TestDatabase;
  let beside: SQL;
  let database: PostgresDatabase;
  let made: MadeMailing;
  let ran = { ledger: 0, other: 0 };
  let parts: ReturnType<typeof partsOf>;
  let mailings = 0;

  /** As `database`, and counts how often the work of its writes runs. */
  const counted = (who: keyof typeof ran): PostgresDatabase => {
    const counting =
      <T>(work: (tx: Session) => Promise<T>) =>
      (tx: Session) => (ran[who]++, work(tx));
    return {
      ...database,
      write: (work) => database.write(counting(work)),
      writeOften: (work) => database.writeOften(counting(work)),
    };
  };
  const partsOf = (own: ReturnType<typeof ownNode>) => ({
    // Its rounds alone: the mailing is finished after them.
    ledger: ledgerStore({ ...counted("ledger"), write: database.write }, own, systemClock),
    reports: bounceStore(counted("ledger")),
    contacts: contactStore(counted("other")),
    run: own.number ?? 0,
  });

  beforeAll(async () => {
    home = await migratedDatabase();
    beside = new SQL({ url: home.url, max: 1 });
    database = await openPostgres(home.url, { clock: systemClock, random: seededRandom(1) });
    await beside.unsafe("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
    const own = ownNode(systemClock, { name: "test", version: "0" });
    await registry(database, own, systemClock).join(NOW, false);
    parts = partsOf(own);
  });
  afterAll(async () => {
    await beside.close();
    await database.close();
    await home.drop();
  });

  beforeEach(async () => {
    const opened = {
      run: async (statement: string) => void (await beside.unsafe(statement)),
      values: async (statement: string) =>
        (await beside.unsafe(statement).values()).map(([first]: unknown[]) => first),
    };
    made = await makeMailing(
      { engine: { name: "PostgreSQL" }, opened },
      { prefix: `m${mailings++}x`, people: 2 },
    );
    for (const message of made.messages)
      expect(await claimDot(parts.ledger, message, parts.run, NOW)).toBe("dot");
    ran = { ledger: 0, other: 0 };
  });

  const id = (n: number): string => `con_m${mailings - 1}x${n}`;
  const bounce = () =>
    Promise.all(made.messages.map((message) => parts.ledger.settle(message, REFUSED, NOW, null, "bulk")));
  const remove = (n: number) => parts.contacts.delete("ws_one", id(n), () => null, NOW);
  const statuses = async (): Promise<string[]> =>
    (
      await beside.unsafe(`SELECT status FROM contacts WHERE id LIKE '${id(0).slice(0, -1)}%' ORDER BY seq`)
    ).map(({ status }: { status: string }) => status);

  /** Both begin, one after the other, while somebody else holds what `held` locks; each waits for somebody. */
  async function bothStand(held: string, first: () => Promise<unknown>, second: () => Promise<unknown>) {
    const both: Promise<unknown>[] = [];
    await beside.begin(async (tx) => {
      await tx.unsafe(held);
      for (const [n, begin] of [first, second].entries()) {
        both.push(begin());
        await eventually(async () => (await tx.unsafe(WAITING))[0].n > n);
      }
    });
    return await Promise.all(both);
  }

  test("a relay that refuses an address and a deletion of its contact", async () => {
    await bothStand("LOCK TABLE tallies IN SHARE MODE", bounce, () => remove(0));
    expect(ran).toEqual({ ledger: 1, other: 1 });
    expect(await statuses()).toEqual(["BOUNCED"]);
  });

  test("a relay that refuses several addresses and a request that changes these contacts", async () => {
    // In the order of their addresses it is the other way round.
    await beside.unsafe(`UPDATE contacts SET email = 'z' || email WHERE id = '${id(0)}'`);
    await beside.unsafe(`UPDATE deliveries SET address = 'z' || address WHERE seq = ${made.messages[0]}`);
    const emails = (
      await beside.unsafe(`SELECT email FROM contacts WHERE id IN ('${id(0)}', '${id(1)}')`)
    ).map(({ email }: { email: string }) => email);
    const held = `SELECT FROM contacts WHERE id = '${id(0)}' FOR UPDATE`;
    const change = () => counted("other").write((tx) => holdByEmail(tx, 1, emails));
    await bothStand(held, change, bounce);
    expect(ran).toEqual({ ledger: 1, other: 1 });
    expect(await statuses()).toEqual(["BOUNCED", "BOUNCED"]);
  });

  test("contacts are put on a list in the order of their numbers, also where their ids have another", async () => {
    const [first, second] = [`z_${mailings}`, `a_${mailings}`];
    for (const [n, other] of [first, second].entries())
      await beside.unsafe(`UPDATE contacts SET id = '${other}' WHERE id = '${id(n)}'`);
    await beside.unsafe(
      "INSERT INTO lists (id, workspace, name, search, created_at) VALUES ('l', 1, '', '', 1)",
    );
    let adding: Promise<unknown> | undefined;
    await beside.begin(async (tx) => {
      await tx.unsafe(`SELECT FROM contacts WHERE id = '${first}' FOR UPDATE`);
      adding = listStore(database).addContacts("ws_one", "l", [first, second], () => null, NOW);
      await eventually(async () => (await tx.unsafe(WAITING))[0].n > 0);
      await tx.unsafe(`SELECT FROM contacts WHERE id = '${second}' FOR UPDATE NOWAIT`);
    });
    expect(await adding).toEqual({ ok: true, value: { added: 2, skipped: 0 } });
  });

  /** Whether `held` stands in the way of `work`, which may then not have locked `free`. */
  async function standsBefore(held: string, work: () => Promise<unknown>, free: string) {
    let working: Promise<unknown> | undefined;
    await beside.begin(async (tx) => {
      await tx.unsafe(held);
      let isOver = false;
      working = work().finally(() => (isOver = true));
      await eventually(async () => isOver || (await tx.unsafe(WAITING))[0].n > 0);
      expect(isOver).toBe(false);
      await tx.unsafe(`${free} FOR UPDATE NOWAIT`);
    });
    await working;
  }

  test("what was reserved is given back before a mailing's numbers change, as an automation takes them", async () => {
    await beside.unsafe("INSERT INTO sending_usage VALUES (1, '2026-11', 9) ON CONFLICT DO NOTHING");
    const failed: Outcome = { state: "failed", reason: "REJECTED", reply: REFUSED.reply };
    await standsBefore(
      "SELECT FROM sending_usage FOR UPDATE",
      () => parts.ledger.settle(made.messages[0]!, failed, NOW, null, "bulk"),
      `SELECT FROM tallies WHERE mailing = ${made.mailing}`,
    );
  });

  test("an address is suppressed behind its contact, as by a bounce or an opt-out", async () => {
    const email = `m${mailings - 1}x0@example.com`;
    await beside.unsafe(`INSERT INTO confirmations (delivery, workspace, form_id, address, created_at)
      VALUES (${made.messages[0]}, 1, 'f', '${email}', 1)`);
    const entry = { email, reason: "MANUAL", source: "api", createdAt: NOW } as const;
    await standsBefore(
      `SELECT FROM contacts WHERE email = '${email}' FOR UPDATE`,
      () => suppressionStore(database).add("ws_one", entry, (_, reason) => reason),
      `SELECT FROM confirmations WHERE address = '${email}'`,
    );
  });

  // With no contact there is no lock before these.
  test.each([
    ["suppressed", () => suppressionStore(database).add("ws_one", MANUAL, (_, reason) => reason)],
    ["confirmed", () => signupStore(database).confirm(made.messages[0]!, () => null, FRESH)],
  ])("an address without a contact that is %s has its suppression before its links", async (_, work) => {
    await beside.unsafe(`INSERT INTO suppressions (workspace, address, reason, source, created_at)
      VALUES (1, '${MANUAL.email}', 'UNSUBSCRIBED', 'api', 1) ON CONFLICT DO NOTHING`);
    await beside.unsafe(`INSERT INTO confirmations (delivery, workspace, form_id, address, created_at)
      VALUES (${made.messages[0]}, 1, 'f', '${MANUAL.email}', 1)`);
    await standsBefore(
      `SELECT FROM suppressions WHERE address = '${MANUAL.email}' FOR UPDATE`,
      work,
      `SELECT FROM confirmations WHERE delivery = ${made.messages[0]}`,
    );
  });

  test("a report about a message and a deletion of its contact", async () => {
    const words = { reason: "USER_UNKNOWN", status: "5.1.1", words: "no such user", recipients: [] };
    const report = { ...words, kind: "hard", message: made.messages[0]!, way: "mailbox", at: NOW } as const;
    const apply = () => parts.reports.apply(report, ({ state }) => effectOf("hard", state, true));
    await bothStand("LOCK TABLE bounce_reports IN SHARE MODE", apply, () => remove(0));
    expect(ran).toEqual({ ledger: 1, other: 1 });
    expect(await statuses()).toEqual(["SUBSCRIBED"]);
  });
});
