/** A request's beginning whose commit is answered to nobody. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { refuse } from "#core/errors/errors.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { sendStore } from "#storage/postgres/transactional/send-store.ts";
import { decideRepeat, type KeyedRequest } from "#transactional/request/idempotency.ts";
import type { NewSend } from "#transactional/store.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const NOW = 1_800_000_000_000;
const lost = (): StorageError => new StorageError("unreachable", new Error("the connection broke"));
type Write = PostgresDatabase["write"];

describe.skipIf(await lacksPostgres())("a request whose beginning is answered to nobody", () => {
  let home: TestDatabase;
  let database: PostgresDatabase;
  let beside: SQL;
  /** The lease ends when the test says so, not when the machine is slow. */
  let elapsedMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => elapsedMs };
  const own = ownNode(clock, { name: "test", version: "0" });

  beforeAll(async () => {
    home = await migratedDatabase();
    database = await openPostgres(home.url, { clock: systemClock, random: seededRandom(1) });
    beside = new SQL({ url: home.url, max: 1 });
    await beside.unsafe("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
    await registry(database, own, clock).join(NOW, false);
  });
  afterAll(async () => {
    await Promise.all([beside.close(), database.close()]);
    await home.drop();
  });

  /** A store whose first write goes as `first` says. */
  const storeWith = (first: (write: Write) => Write) => {
    let isFirst = true;
    const write: Write = (work) => {
      const how = isFirst ? first(database.write) : database.write;
      isFirst = false;
      return how(work);
    };
    return sendStore({ ...database, write }, own, clock);
  };
  const answerLost =
    (write: Write): Write =>
    async (work) => {
      await write(work);
      throw lost();
    };
  const request = (id: string, keyed: KeyedRequest | null): NewSend => ({
    id,
    workspaceId: "ws_one",
    addresses: ["a@example.com", "b@example.com"],
    tags: ["welcome"],
    from: { address: "me@sender.example" },
    keyed,
    month: "2026-11",
    now: NOW,
    repeat: (kept) => decideRepeat(kept, keyed, NOW),
    checkQuota: () => null,
  });
  const counts = async (id: string) => {
    const [found] = await beside.unsafe(
      `SELECT (SELECT count(*)::int4 FROM mailings WHERE source_id = $1) AS mailings,
        (SELECT count(*)::int4 FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing WHERE m.source_id = $1) AS messages`,
      [id],
    );
    return found;
  };
  const KEYED = { key: "order-1", bodyHash: new Uint8Array(32) };

  test("goes on with what was written, with a key and without", async () => {
    for (const [id, keyed] of [
      ["snd_keyed", KEYED],
      ["snd_bare", null],
    ] as const) {
      const begun = await storeWith(answerLost).begin(request(id, keyed));
      expect(begun).toMatchObject({ kind: "begun", owed: 2 });
      expect(await counts(id)).toEqual({ mailings: 1, messages: 2 });
    }
    const [used] = await beside.unsafe("SELECT n::int4 AS n FROM sending_usage WHERE period = '2026-11'");
    expect(used.n).toBe(4);
    const other = await sendStore(database, own, clock).begin(request("snd_other", KEYED));
    expect(other.kind).toBe("refused");
  });

  test("begins where nothing was written", async () => {
    const undone =
      (write: Write): Write =>
      (work) =>
        write(async (tx) => {
          await work(tx);
          throw lost();
        });
    const begun = await storeWith(undone).begin(request("snd_undone", { ...KEYED, key: "order-2" }));
    expect(begun).toMatchObject({ kind: "begun", owed: 2 });
    expect(await counts("snd_undone")).toEqual({ mailings: 1, messages: 2 });
  });

  test("waits for one that is still under way, and begins no second", async () => {
    for (const [id, keyed] of [
      ["snd_slow_keyed", { ...KEYED, key: "order-3" }],
      ["snd_slow_bare", null],
    ] as const) {
      const gate = { isOpen: false };
      let late: Promise<unknown> = Promise.resolve();
      const slow =
        (write: Write): Write =>
        async (work) => {
          const hasWorked = Promise.withResolvers<void>();
          late = write(async (tx) => {
            const value = await work(tx);
            hasWorked.resolve();
            // PostgreSQL ends a transaction that does nothing for a while.
            while (!gate.isOpen) await tx.rows("SELECT pg_sleep(0.02)");
            return value;
          });
          await hasWorked.promise;
          throw lost();
        };
      const beginning = storeWith(slow).begin(request(id, keyed));
      const waiting = async () =>
        (await beside.unsafe("SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()")).length;
      let waits = 0;
      const looking = setInterval(() => void waiting().then((n) => (waits = n)), 20);
      await eventually(() => waits > 0);
      clearInterval(looking);
      gate.isOpen = true;
      expect(await beginning).toMatchObject({ kind: "begun", owed: 2 });
      await late;
      expect(await counts(id)).toEqual({ mailings: 1, messages: 2 });
    }
  });

  test("a test of a campaign is written once too", async () => {
    const id = "tst_once";
    const begun = await storeWith(answerLost).beginTest({
      id,
      workspaceId: "ws_one",
      addresses: ["a@example.com"],
      now: NOW,
      checkRate: (earlier) => (earlier.length === 0 ? null : { retryAfterS: 60 }),
    });
    expect(begun).toMatchObject({ kind: "begun", owed: 1 });
    expect(await counts(id)).toEqual({ mailings: 1, messages: 1 });
  });

  test("is given up with the lease, and at once where nothing was begun or the answer is no", async () => {
    const never = (): Write => () => Promise.reject(lost());
    const failed = await storeWith(never)
      .begin(request("snd_never", null))
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StorageError);
    expect(await counts("snd_never")).toEqual({ mailings: 0, messages: 0 });
    const full = { ...request("snd_full", null), checkQuota: () => refuse("QUOTA_EXCEEDED", "full").refusal };
    expect((await storeWith(answerLost).begin(full)).kind).toBe("refused");
    elapsedMs = 60_000;
    const late = await storeWith(answerLost)
      .begin(request("snd_late", null))
      .catch((error: unknown) => error);
    expect(late).toBeInstanceOf(StorageError);
  });
});
