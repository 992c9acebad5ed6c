import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { eq } from "drizzle-orm";
import { actingAs, type Act } from "#core/request/acting.ts";
import { systemClock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { violates } from "#storage/postgres/engine/failures.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import {
  contactAttributes,
  contacts,
  mediaSlices,
  media,
  settings,
  workspaces,
} from "#storage/postgres/schema/schema.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

let home: TestDatabase;
let database: PostgresDatabase;
let beside: SQL;

const open = () => openPostgres(home.url, { clock: systemClock, random: systemRandom });

const act = (): Act => ({
  workspaceId: "ws_one",
  who: "ada@example.com",
  what: "did it",
  at: 1_800_000_000_000,
  target: null,
  entry: null,
});

const put = (key: string, value: string) =>
  database.write((tx) =>
    tx.run(
      "INSERT INTO settings VALUES (1, $1, $2) ON CONFLICT (workspace, key) DO UPDATE SET value = excluded.value",
      [key, value],
    ),
  );
const valueOf = async (key: string) => {
  const found = await database.read(({ orm }) => orm.select().from(settings).where(eq(settings.key, key)));
  return found[0]?.value;
};

describe.skipIf(await lacksPostgres())("PostgreSQL's transactions", () => {
  beforeAll(async () => {
    home = await migratedDatabase();
    database = await open();
    beside = new SQL({ url: home.url, max: 2 });
    await database.write((tx) => tx.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)"));
  });
  afterAll(async () => {
    await Promise.all([database.close(), beside.close()]);
    await home.drop();
  });

  test("raw rows have the schema's names, and whole numbers as numbers", async () => {
    const row = await database.read((session) =>
      session.row(
        `SELECT 9007199254740991::int8 AS big_one, NULL::int8 AS no_one, count(*) AS n, sum(7::int8)::int8 AS sum,
         1::int4 AS small, true AS is_so, ARRAY['a', NULL, 'b,"c']::text[] AS words, '\\x0001ff'::bytea AS bytes,
         '{"a":[1]}'::jsonb AS json FROM workspaces`,
      ),
    );
    expect(row).toEqual({
      bigOne: 9_007_199_254_740_991,
      noOne: null,
      n: 1,
      sum: 7,
      small: 1,
      isSo: true,
      words: ["a", null, 'b,"c'],
      bytes: Buffer.from([0, 1, 255]),
      json: { a: [1] },
    });
    expect(await database.read((session) => session.row("SELECT FROM workspaces WHERE seq < 0"))).toBeNull();
  });

  test("arrays are one value: numbers, words, bytes, none", async () => {
    const [numbers, words, bytes, none] = await database.read((session) =>
      Promise.all([
        session.rows("SELECT n FROM unnest($1::int8[]) AS n ORDER BY n", [[3, 1, 9_007_199_254_740_991]]),
        session.rows("SELECT w FROM unnest($1::text[]) AS w", [['a,"b\\', "", "é'{}", null, "NULL"]]),
        session.rows("SELECT b FROM unnest($1::bytea[]) AS b", [[Buffer.from([0, 255]), Buffer.from([])]]),
        session.rows("SELECT seq FROM workspaces WHERE id = ANY($1)", [[]]),
      ]),
    );
    expect(numbers).toEqual([{ n: 1 }, { n: 3 }, { n: 9_007_199_254_740_991 }]);
    expect(words).toEqual(['a,"b\\', "", "é'{}", null, "NULL"].map((w) => ({ w })));
    expect(bytes).toEqual([{ b: Buffer.from([0, 255]) }, { b: Buffer.from([]) }]);
    expect(none).toEqual([]);
  });

  test("a text with NUL finds nothing, and makes no error: alone, in an array, and through Drizzle", async () => {
    const [alone, among, through] = await database.read((session) =>
      Promise.all([
        session.row("SELECT id FROM workspaces WHERE id = $1", ["ws\0"]),
        session.rows("SELECT w FROM unnest($1::text[]) AS w", [["a\0", "b"]]),
        session.orm.select().from(workspaces).where(eq(workspaces.id, "\0")),
      ]),
    );
    expect([alone, among, through]).toEqual([null, [{ w: "a\uFFFD" }, { w: "b" }], []]);
  });

  test("Drizzle writes and reads every kind of column", async () => {
    const tags = ["vip", 'a"b,c\\', "", "NULL", "{}"];
    const person = {
      id: "con_1",
      workspace: 1,
      email: "a@example.com",
      firstName: "A",
      lastName: "",
      search: "a",
    };
    const attributes = { city: "Zürich", n: 1.5, list: ["a", "b"], so: true };
    const image = {
      id: "img_1",
      workspace: 1,
      name: "x",
      type: "image/png",
      token: "t",
      createdAt: 1,
    } as const;
    const content = Buffer.from([0, 1, 2, 255]);
    await database.write(async ({ orm }) => {
      const [contact] = await orm
        .insert(contacts)
        .values({ ...person, tags, status: "PENDING", createdAt: 1_800_000_000_000 })
        .returning();
      expect(contact).toMatchObject({ ...person, tags, createdAt: 1_800_000_000_000 });
      await orm.insert(contactAttributes).values({ contact: contact!.seq, workspace: 1, attributes });
      const [kept] = await orm
        .insert(media)
        .values({ ...image, bytes: 4, width: 1, height: 1 })
        .returning();
      await orm.insert(mediaSlices).values({ media: kept!.seq, number: 0, content });
    });
    const [[found], [slice]] = await database.read(({ orm }) =>
      Promise.all([orm.select().from(contactAttributes), orm.select().from(mediaSlices)]),
    );
    expect(found).toMatchObject({ attributes, folded: null });
    expect(Buffer.from(slice!.content)).toEqual(content);
  });

  test("a write that fails has written nothing, and its error is what was thrown", async () => {
    const refusal = new AppError("NOT_FOUND", "no");
    const failing = database.write(async (tx) => {
      await tx.run("INSERT INTO settings VALUES (1, 'lost', 'x')");
      throw refusal;
    });
    expect(await failing.catch((error: unknown) => error)).toBe(refusal);
    expect(await valueOf("lost")).toBeUndefined();
  });

  test("an array is an answer, and no promises to wait for", async () => {
    expect(await database.write(async () => [1, 2])).toEqual([1, 2]);
  });

  test("a constraint that stands in the way is known by its name, also through Drizzle", async () => {
    const again = { id: "ws_one", createdAt: 2 };
    const raw = await put("k", "v").then(() =>
      database
        .write((tx) => tx.run("INSERT INTO settings VALUES (1, 'k', 'w')"))
        .catch((error: unknown) => error),
    );
    const built = await database
      .write(({ orm }) => orm.insert(workspaces).values(again))
      .catch((error: unknown) => error);
    expect([violates(raw, "settings_pkey"), violates(raw, "workspaces_id_key")]).toEqual([true, false]);
    expect([violates(built, "settings_pkey"), violates(built, "workspaces_id_key")]).toEqual([false, true]);
    expect(raw).not.toBeInstanceOf(StorageError);
  });

  test("two writes that wait for each other both succeed: one of them runs again until it may", async () => {
    await Promise.all([put("left", "0"), put("right", "0")]);
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    let runs = 0;
    // The one that runs again may be quicker than the other, which then waits for it once more.
    const add = (keys: readonly [string, string], mine: () => void, theirs: Promise<void>) =>
      database.write(async (tx) => {
        runs++;
        for (const key of keys) {
          await tx.run("UPDATE settings SET value = (value::int8 + 1)::text WHERE key = $1", [key]);
          mine();
          await theirs;
        }
      });
    await Promise.all([
      add(["left", "right"], first.resolve, second.promise),
      add(["right", "left"], second.resolve, first.promise),
    ]);
    expect([await valueOf("left"), await valueOf("right")]).toEqual(["2", "2"]);
    expect(runs).toBeGreaterThan(2);
  });

  test("many writes of the same row, more than there are connections, are all counted", async () => {
    await put("hot", "0");
    const writes = Array.from({ length: 60 }, () =>
      database.write((tx) => tx.run("UPDATE settings SET value = (value::int8 + 1)::text WHERE key = 'hot'")),
    );
    await Promise.all(writes);
    expect(await valueOf("hot")).toBe("60");
  });

  test("a connection that the server ends is replaced: reads do not notice, a write says that it is unknown", async () => {
    // It waits until they have ended: one that is told to, but still there, takes a statement or two more.
    const end = () =>
      beside.unsafe(
        `SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'postrider %'`,
      );
    await end();
    expect(await valueOf("hot")).toBe("60");
    const cut = database.write(async (tx) => {
      await tx.run("UPDATE settings SET value = 'cut' WHERE key = 'hot'");
      await end();
      await tx.run("UPDATE settings SET value = 'cut' WHERE key = 'hot'");
    });
    const error = await cut.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ trouble: "unreachable" });
    expect(database.faults.current).toBe(error as Error);
    expect(await valueOf("hot")).toBe("60");
    await database.probeWrite();
    expect(database.faults.current).toBeNull();
    await put("hot", "61");
    expect(await valueOf("hot")).toBe("61");
  });

  test("a full disk stays a fault until there is room: a write that fits into what is there says nothing", async () => {
    const trouble = (written: Promise<unknown>) =>
      written.then(
        () => null,
        (thrown: unknown) => (thrown instanceof StorageError ? thrown.trouble : thrown),
      );
    const fill = () =>
      trouble(database.write((tx) => tx.run("DO $$ BEGIN RAISE 'full' USING ERRCODE = 'disk_full'; END $$")));
    expect(await fill()).toBe("full");
    await put("hot", "61");
    await database.callOften("SELECT 1", []);
    expect(database.faults.current).toMatchObject({ trouble: "full" });
    await database.probeWrite();
    expect(database.faults.current).toBeNull();

    // A probe needs more room than this.
    const name = new URL(home.url).pathname.slice(1);
    await beside.unsafe(`ALTER DATABASE ${name} SET temp_file_limit = '500kB'`);
    await database.close();
    database = await open();
    await fill();
    expect(await trouble(database.probeWrite())).toBe("failing");
    await beside.unsafe(`ALTER DATABASE ${name} RESET temp_file_limit`);
    await database.close();
    database = await open();
  });

  test("the settings of a connection are ours", async () => {
    const row = await database.read((session) =>
      session.row(
        `SELECT current_setting('application_name') AS name, current_setting('synchronous_commit') AS commits,
         current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('transaction_isolation') AS sees,
         current_setting('tcp_keepalives_idle') AS asked, current_setting('tcp_user_timeout') AS unheard`,
      ),
    );
    const ours = {
      name: expect.stringMatching(/^postrider [0-9a-f]{12}$/),
      commits: "on",
      idle: "10s",
      sees: "read committed",
    };
    expect(row).toEqual({ ...ours, asked: "10", unheard: "25000" });
  });

  test("a database that is not there, or a port where nobody listens, is a StorageError", async () => {
    const nobody = new URL(home.url);
    nobody.port = "1";
    const opening = openPostgres(nobody.href, { clock: systemClock, random: systemRandom });
    expect(await opening.catch((error: unknown) => error)).toMatchObject({ trouble: "unreachable" });
  });
});

describe.skipIf(await lacksPostgres())("the audit log of PostgreSQL", () => {
  beforeAll(async () => {
    home = await migratedDatabase();
    database = await open();
    await database.write((tx) => tx.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)"));
  });
  afterAll(async () => {
    await database.close();
    await home.drop();
  });

  const entries = () =>
    database.read((session) =>
      session.rows("SELECT workspace, at, who, what, target FROM audit ORDER BY seq"),
    );

  test("has the act in the transaction that did it, once, and only if that changed something", async () => {
    const one = act();
    await actingAs(one, async () => {
      await database.write((tx) => tx.run("SELECT FROM workspaces FOR UPDATE"));
      expect(await entries()).toEqual([]);
      await database.write((tx) => tx.run("UPDATE settings SET value = 'x' WHERE key = 'nobody'"));
      expect(await entries()).toEqual([]);
      one.target = "the second";
      await put("audited", "1");
      await put("audited", "2");
    });
    const { who, what, at } = one;
    expect(await entries()).toEqual([{ workspace: 1, at, who, what, target: "the second" }]);
    expect(one.entry).toEqual({ seq: expect.any(Number), target: "the second" });
  });

  test("has nothing of a write that failed, and its next write has the entry", async () => {
    const before = (await entries()).length;
    const one = act();
    await actingAs(one, async () => {
      const failing = database.write(async (tx) => {
        await tx.run("INSERT INTO settings VALUES (1, 'lost', 'x')");
        throw new Error("no");
      });
      await failing.catch(() => undefined);
      expect([(await entries()).length, one.entry]).toEqual([before, null]);
      await put("audited", "3");
    });
    expect((await entries()).length).toBe(before + 1);
  });

  test("has one entry for an act of many writes at the same time, whichever of them fail or change nothing", async () => {
    const before = (await entries()).length;
    const failing = () =>
      database.write(async (tx) => {
        await tx.run("INSERT INTO settings VALUES (1, 'lost', 'x')");
        throw new Error("no");
      });
    const nothing = () => database.write((tx) => tx.run("DELETE FROM settings WHERE key = 'nobody'"));
    const writes = [failing, nothing, ...Array.from({ length: 10 }, (_, n) => () => put(`many ${n}`, "1"))];
    const outcomes = await actingAs(act(), () => Promise.allSettled(writes.map((write) => write())));
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBe(1);
    expect((await entries()).length).toBe(before + 1);
    expect(await valueOf("many 9")).toBe("1");
  });

  test("a write outside any request makes no audit entry", async () => {
    const before = (await entries()).length;
    await put("audited", "4");
    expect((await entries()).length).toBe(before);
  });

  test("forgets what is older than a year, some at a time, as new entries come", async () => {
    await database.write((tx) =>
      tx.run(
        "INSERT INTO audit (workspace, at, who, what) SELECT 1, 1, 'x', 'old' FROM generate_series(1, 30)",
      ),
    );
    for (let n = 0; n < 3; n++) await actingAs(act(), () => put("audited", `again ${n}`));
    const left = await database.read((session) =>
      session.rows<{ n: number }>("SELECT count(*) AS n FROM audit WHERE what = 'old'"),
    );
    expect(left[0]!.n).toBeLessThan(30);
  });
});
