/** Somebody has locked the row of one message, while others are sent beside it. */
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { gatheredByWorkspace } from "#storage/postgres/engine/gathered-by-workspace.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { claimDot, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const NOW = 1_800_000_000_000;
const SENT: Outcome = { state: "sent", reply: { code: 250, enhanced: "2.0.0", text: "taken" } };
/** No lease ends, however slow the machine is. */
const STILL = { monotonicMs: () => 0 };

describe.skipIf(await lacksPostgres())("a message whose row somebody has locked", () => {
  let home: TestDatabase;
  let database: PostgresDatabase;
  let sql: SQL;
  let ledger: LedgerStore;
  let run: number;

  beforeAll(async () => {
    home = await migratedDatabase();
    sql = new SQL({ url: home.url, max: 2 });
    // Without `prepare`, the database's own settings hold, and a lock is waited for only a moment. Rounds set their own.
    const name = new URL(home.url).pathname.slice(1);
    for (const setting of ["lock_timeout = 100", "idle_in_transaction_session_timeout = '10s'"])
      await sql.unsafe(`ALTER DATABASE "${name}" SET ${setting}`);
    await sql.unsafe("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
    database = await openPostgres(home.url, { clock: systemClock, random: seededRandom(1), prepare: false });
    const rounds: Pick<PostgresDatabase, "writeOften" | "callOften"> = {
      writeOften: database.write,
      callOften: (text, values) => database.callOften(text.replace("'8s'", "'100ms'"), values),
    };
    ledger = ledgerStore({ ...database, ...rounds }, ownNode(STILL, { name: "test", version: "0" }), STILL);
    ({ run } = await ledger.join(NOW, false));
  });
  afterAll(async () => {
    await Promise.all([database.close(), sql.close()]);
    await home.drop();
  });

  const messagesOf = async (prefix: string): Promise<readonly number[]> => {
    const opened = {
      run: async (text: string) => void (await sql.unsafe(text)),
      values: async (text: string) => (await sql.unsafe(text).values()).map(([first]: unknown[]) => first),
    };
    const made = { prefix, people: 3 };
    return (await makeMailing({ engine: { name: "PostgreSQL" }, opened }, made)).messages;
  };
  const whileLocked = (message: number, work: () => Promise<void>): Promise<void> =>
    sql.begin(async (tx) => {
      await tx.unsafe("SELECT FROM deliveries WHERE seq = $1 FOR UPDATE", [message]);
      await work();
    });
  /** What became of steps that shared a round. */
  const endsOf = async (steps: readonly Promise<unknown>[]): Promise<unknown[]> =>
    (await Promise.allSettled(steps)).map((end) =>
      end.status === "fulfilled" ? (end.value ?? "settled") : (end.reason as { trouble: string }).trouble,
    );

  test("does not keep the others of its round from their dots, and has its own later", async () => {
    const messages = await messagesOf("dots");
    const claim = (message: number) => claimDot(ledger, message, run, NOW);
    await whileLocked(messages[1]!, async () => {
      expect(await endsOf(messages.map(claim))).toEqual(["dot", "locked", "dot"]);
    });
    expect(await claim(messages[1]!)).toBe("dot");
  });

  test("is like a contact there: the others of its transaction are written", async () => {
    const ids = await messagesOf("contacts");
    const change = "UPDATE deliveries SET attempts = attempts + 1 WHERE seq = $1";
    const write = gatheredByWorkspace(
      database.write,
      async (tx, _, steps: readonly number[]) => {
        for (const id of steps) await tx.run(change, [id]);
        return steps;
      },
      "SET LOCAL lock_timeout = 100",
    );
    await whileLocked(ids[1]!, async () => {
      // The first one begins a round, and those behind it share the next.
      const ends = await endsOf([ids[0]!, ...ids].map((id) => write(1, id)));
      expect(ends).toEqual([ids[0], ids[0], "locked", ids[2]]);
    });
    const tried = await sql.unsafe(
      `SELECT attempts FROM deliveries WHERE seq IN (${ids.join(", ")}) ORDER BY seq`,
    );
    expect(tried.map(({ attempts }: { attempts: number }) => attempts)).toEqual([2, 0, 1]);
  });

  test("does not keep the others' outcomes from being recorded", async () => {
    const messages = await messagesOf("ends");
    for (const message of messages) await claimDot(ledger, message, run, NOW);
    const settle = (message: number) => ledger.settle(message, SENT, NOW, null, "bulk");
    await whileLocked(messages[1]!, async () => {
      expect(await endsOf(messages.map(settle))).toEqual(["settled", "locked", "settled"]);
    });
    await settle(messages[1]!);
    const states = await sql.unsafe(
      `SELECT DISTINCT state FROM deliveries WHERE seq IN (${messages.join(", ")})`,
    );
    expect([...states]).toEqual([{ state: "sent" }]);
  });
});
