/** A plain round is one call that commits by itself: behind a pooler too, and where the call is ended before its commit. */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const NOW = 1_800_000_000_000;
const SENT: Outcome = { state: "sent", reply: { code: 250, enhanced: "2.0.0", text: "taken" } };
/** No lease ends, however slow the machine is. */
const STILL = { monotonicMs: () => 0 };

type Sending = { readonly ledger: LedgerStore; readonly run: number; readonly answers: unknown[] };

describe.skipIf(await lacksPostgres())("the call of a plain round", () => {
  let home: TestDatabase;
  let beside: SQL;
  const open: PostgresDatabase[] = [];
  const opened = {
    run: async (statement: string) => void (await beside.unsafe(statement)),
    values: async (statement: string) =>
      (await beside.unsafe(statement).values()).map(([first]: unknown[]) => first),
  };
  const make = (prefix: string, people: number): Promise<MadeMailing> =>
    makeMailing({ engine: { name: "PostgreSQL" }, opened }, { prefix, people });
  const statesOf = ({ mailing }: MadeMailing) =>
    opened.values(`SELECT DISTINCT state FROM deliveries WHERE mailing = ${mailing}`);

  const join = async (prepare: boolean): Promise<Sending> => {
    const database = await openPostgres(home.url, { clock: systemClock, random: seededRandom(1), prepare });
    open.push(database);
    const answers: unknown[] = [];
    const callOften: PostgresDatabase["callOften"] = async <Answer>(text: string, values: never) => {
      const answer = await database.callOften<Answer>(text, values);
      answers.push((answer as { how?: string } | null)?.how);
      return answer;
    };
    const ledger = ledgerStore(
      { ...database, callOften },
      ownNode(STILL, { name: "test", version: "0" }),
      STILL,
    );
    const { run } = await ledger.join(NOW, false);
    return { ledger, run, answers };
  };

  beforeAll(async () => {
    home = await migratedDatabase();
    beside = new SQL({ url: home.url, max: 1 });
    // What a role has that works behind a pooler (docs/postgresql.md).
    const name = new URL(home.url).pathname.slice(1);
    await opened.run(`ALTER DATABASE "${name}" SET idle_in_transaction_session_timeout = '10s'`);
    await opened.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
  });
  afterAll(async () => {
    await Promise.all([beside.close(), ...open.map((database) => database.close())]);
    await home.drop();
  });

  test.each([true, false])("commits, also where statements are prepared: %p", async (prepare) => {
    const { ledger, run, answers } = await join(prepare);
    const made = await make(`prepared${prepare}`, 40);
    // One after the other as well as together: a later call finds the connection as the one before has left it.
    for (const some of [made.messages.slice(0, 2), made.messages.slice(2, 3), made.messages.slice(3)]) {
      const claims = await Promise.all(some.map((message) => claimDot(ledger, message, run, NOW)));
      expect(claims).toEqual(some.map(() => "dot"));
      await Promise.all(some.map((message) => ledger.settle(message, SENT, NOW, null, "bulk")));
    }
    expect(new Set(answers)).toEqual(new Set(["written"]));
    expect(await statesOf(made)).toEqual(["sent"]);
    expect(await ledger.progress(made.mailing)).toMatchObject({ phase: "finished", sent: 40, accepted: 40 });
  });

  test.each([true, false])(
    "waits shortly for what somebody has locked, as other rounds do, also where statements are prepared: %p",
    async (prepare) => {
      const { ledger, run } = await join(prepare);
      const { messages, mailing } = await make(`waits${prepare}`, 2);
      await opened.run("CREATE TABLE limits (n text)");
      await opened.run(`CREATE FUNCTION note_limit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO limits VALUES (current_setting('lock_timeout')); RETURN NULL; END $$`);
      await opened.run("CREATE TRIGGER noting AFTER UPDATE ON deliveries EXECUTE FUNCTION note_limit()");
      // The first is claimed by a call, and the second by a round of many statements, because it has a reason.
      await opened.run(`UPDATE deliveries SET reason = 'GREYLISTED' WHERE seq = ${messages[1]}`);
      await opened.run("TRUNCATE limits");
      for (const message of messages) expect(await claimDot(ledger, message, run, NOW)).toBe("dot");
      expect(new Set(await opened.values("SELECT n FROM limits"))).toEqual(new Set(["8s"]));
      await opened.run("DROP TABLE limits; DROP FUNCTION note_limit CASCADE");
      expect(
        await opened.values(`SELECT count(*) FROM deliveries WHERE mailing = ${mailing} AND state = 'dot'`),
      ).toEqual(["2"]);
    },
  );

  test("that the database ends before its commit has written nothing, and its message is claimed again", async () => {
    const { ledger, run } = await join(true);
    const made = await make("ended", 1);
    const message = made.messages[0]!;
    const holding = new SQL({ url: home.url, max: 1 });
    let claim: Promise<unknown> | undefined;
    await holding.begin(async (tx) => {
      await tx.unsafe(`SELECT FROM deliveries WHERE seq = ${message} FOR UPDATE`);
      claim = claimDot(ledger, message, run, NOW).catch((error: unknown) => error);
      // As `statement_timeout` does.
      await eventually(
        async () =>
          (
            await opened.values(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CALL %'`)
          ).length > 0,
      );
      expect(await claim).toBeInstanceOf(StorageError);
    });
    await holding.close();
    expect(await statesOf(made)).toEqual(["queued"]);
    expect(await claimDot(ledger, message, run, NOW)).toBe("dot");
    await ledger.settle(message, SENT, NOW, null, "bulk");
    expect(await statesOf(made)).toEqual(["sent"]);
  });
});
