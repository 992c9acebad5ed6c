import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { moveToPostgres, moveToSqlite, takeBack } from "#app/move.ts";
import { openServerDatabase } from "#app/server-database.ts";
import { openPostgresServices, openServices, type Services } from "#app/services.ts";
import { readConfig } from "#config.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { FRONT } from "#deliveries/ledger.ts";
import { moveDatabase } from "#move/service.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { postgresSource } from "#storage/postgres/move/move-source.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { sqliteSource } from "#storage/sqlite/move/move-source.ts";
import { sqliteTarget } from "#storage/sqlite/move/move-target.ts";
import { holdEverything } from "#storage/sqlite/run/hold.ts";
import { movedTo } from "#storage/sqlite/run/moved-to.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import { FILLED } from "../support/storage/filled-database.ts";
import { ledgerFaults } from "../support/storage/ledger-check.ts";
import { changeFile, contentOf, databaseToMove, indexesOf } from "../support/storage/move.ts";
import { emptyDatabase, lacksPostgres, type TestDatabase } from "../support/storage/postgres.ts";
import { postrider, temporaryDirectory } from "../support/server/postrider.ts";

const NOW = Date.UTC(2026, 10, 24);
const clock = { ...systemClock, now: () => NOW };
const world = { clock, random: systemRandom, log: SILENT_LOG };
const configAt = (path: string) =>
  unwrap(readConfig({ flags: {}, environment: { DATA_DIR: path }, onTerminal: false }));
const quiet = (): void => undefined;
const look = (): Promise<void> => Promise.resolve();
/** What an error says; empty where there is none. */
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );
const PAGE = { limit: 50, before: null };
const ANYBODY = {
  limit: 5_000,
  who: "all",
  domains: [],
  except: new Set<number>(),
  withPeople: false,
} as const;

/** What somebody would look for first, as either engine answers it. */
async function seen({ workspaces, ...services }: Services): Promise<unknown> {
  const workspace = await workspaces.pick(undefined);
  const contacts = await services.contacts.page(workspace, { status: null, tag: "early", q: "ADA@" }, PAGE);
  const list = (await services.lists.page(workspace, FILLED.list, PAGE)).items[0]!;
  return {
    settings: await workspaces.settings(workspace),
    contacts,
    many: await services.contacts.page(workspace, { status: "SUBSCRIBED", tag: "café", q: "p44" }, PAGE),
    attributes: await services.attributes.list(workspace),
    list,
    members: await services.lists.contacts(workspace, list.id, { status: null, q: null }, PAGE),
    campaigns: await services.campaigns.page(workspace, { status: null, q: null }, PAGE),
    suppressions: await services.suppressions.page(workspace, { reason: null, q: null }, PAGE),
    domains: await services.suppressions.domainPage(workspace, PAGE),
    consent: await Array.fromAsync(services.contacts.consentLog(workspace)),
    forms: await services.forms.page(workspace, PAGE),
    automations: await services.automations.page(workspace, null, PAGE),
    segments: await services.segments.page(workspace, PAGE),
  };
}

const isMissing = await lacksPostgres();

describe.skipIf(isMissing)("a database that is moved from SQLite to PostgreSQL and back", () => {
  const home = temporaryDirectory();
  const [from, back] = [`${home.path}/from`, `${home.path}/back`];
  const file = `${from}/postrider.db`;
  let database: TestDatabase;
  let sql: SQL;

  beforeAll(async () => {
    mkdirSync(from);
    databaseToMove(file);
    database = await emptyDatabase();
    sql = new SQL({ url: database.url, max: 1 });
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
    home.remove();
  });

  const address = () => ({ url: database.url, prepare: true });
  const there = () => moveToPostgres(from, address(), world, quiet);
  const postgres = () => openPostgresServices({ ...address(), dataDir: home.path }, world);
  const values = async (query: string): Promise<unknown[]> =>
    (await sql.unsafe(query).values()).map(([first]: unknown[]) => Number(first));

  test("is not copied again into a new database of the name to which it was moved", async () => {
    const { hostname, port, pathname } = new URL(database.url);
    const mark = (place: string | null) =>
      changeFile(file, (sqlite) => sqlite.run("UPDATE instance SET moved_to = ?", [place]));
    mark(`PostgreSQL at ${hostname}:${port}${pathname}`);
    expect(await refusalOf(there())).toContain("is not there any more");
    mark(null);
    expect(await values("SELECT count(*) FROM pg_tables WHERE tablename = 'moving'")).toEqual([0]);
  });

  test("is cut off, and used by nobody until it is whole", async () => {
    const cut = moveToPostgres(from, address(), world, (_, table) => {
      if (table === "contacts") throw new Error("cut off");
    });
    expect(await refusalOf(cut)).toContain("cut off");
    expect(await values("SELECT count(*) FROM contacts")).toEqual([2_000]);
    expect(await refusalOf(postgres())).toContain("postrider move");
  });

  test("does not go on from a database that a person has changed since", async () => {
    changeFile(file, (sqlite) =>
      sqlite.run("INSERT INTO audit (workspace, at, who, what) VALUES (1, 1, 'x', 'list_created')"),
    );
    expect(await refusalOf(there())).toContain("changed since");
    changeFile(file, (sqlite) => {
      sqlite.run("DELETE FROM audit WHERE who = 'x'");
      sqlite.run("UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM audit) WHERE name = 'audit'");
    });
  });

  test("is not moved while something is half done", async () => {
    const changed = (statement: string) => changeFile(file, (sqlite) => sqlite.run(statement));
    changed("UPDATE imports SET state = 'RUNNING'");
    expect(await refusalOf(there())).toContain("imports are running (1)");
    changed("UPDATE imports SET state = 'DONE'");
    changed("UPDATE mailings SET phase = 'planning' WHERE source_id = 'cmp_owed'");
    expect(await refusalOf(there())).toContain("campaigns are being planned (1)");
    changed("UPDATE mailings SET phase = 'sending' WHERE source_id = 'cmp_owed'");
    // An import that goes on would say that all of it is done.
    const command = openSqlite(from, clock, systemRandom);
    expect(await refusalOf(there())).toContain(`a command still uses ${file}`);
    await command.close();
  });

  test("lets no command write meanwhile", async () => {
    const commands = [["key", "list"], ["migrate"], ["backup", `${home.path}/meanwhile.db`]];
    let meanwhile: ReturnType<typeof postrider>[] = [];
    const cut = moveToPostgres(from, address(), world, () => {
      meanwhile = commands.map((line) => postrider(from, line));
      throw new Error("cut off");
    });
    expect(await refusalOf(cut)).toContain("cut off");
    expect(meanwhile.length).toBe(3);
    for (const { code, err } of await Promise.all(meanwhile))
      expect([code, err]).toEqual([1, expect.stringContaining("by `postrider move`")]);
  });

  test("is not used where the copy differs", async () => {
    await sql.unsafe("UPDATE contacts SET last_name = 'Other' WHERE seq = 1");
    expect(await refusalOf(there())).toContain("contacts and its copy differ");
    expect(await refusalOf(postgres())).toContain("postrider move");
    const kept = changeFile(file, (sqlite) =>
      sqlite.query("SELECT last_name FROM contacts WHERE seq = 1").values(),
    );
    await sql.unsafe("UPDATE contacts SET last_name = $1 WHERE seq = 1", [kept[0]![0]]);
  });

  test("goes on, and holds what is owed", async () => {
    const { rows, held } = await there();
    expect(rows).toBeGreaterThan(10_000);
    // Two mailings, the schedule, the automation; the webhook was disabled, and a form's mailing owes nothing.
    expect(held).toBe(4);
    expect(await values("SELECT count(*) FROM contacts WHERE id LIKE 'con#_%' ESCAPE '#'")).toEqual([4_500]);
    expect(await values("SELECT held FROM mailings WHERE phase = 'sending'")).toEqual([1, 1, 1]);
    expect(await values("SELECT count(*) FROM automations WHERE status = 'LIVE'")).toEqual([0]);
    // The source is as it was.
    expect(changeFile(file, (sqlite) => sqlite.query("SELECT status FROM automations").values())).toEqual([
      ["LIVE"],
    ]);
    mkdirSync(`${home.path}/other`);
    databaseToMove(`${home.path}/other/postrider.db`);
    expect(await refusalOf(moveToPostgres(`${home.path}/other`, address(), world, quiet))).toContain(
      "not empty",
    );
    // The move is done: another database would not help.
    const { hostname, port, pathname } = new URL(database.url);
    expect(await refusalOf(there())).toBe(
      `the data was moved to PostgreSQL at ${hostname}:${port}${pathname} already: start servers and commands there`,
    );
  });

  test("is marked where it was, so that no server starts there, and goes to one place only", async () => {
    const { hostname, port, pathname } = new URL(database.url);
    const place = `PostgreSQL at ${hostname}:${port}${pathname}`;
    expect(changeFile(file, movedTo)).toBe(place);
    const started = await refusalOf(openServerDatabase(configAt(from), world));
    expect(started).toContain(`moved to ${place}: start servers and commands there`);
    expect(started).toContain("move --take-back");
    const sideways = openSqlite(from, clock, systemRandom);
    const target = sqliteTarget(`${home.path}/sideways`, NOW);
    expect(await refusalOf(moveDatabase(sqliteSource(sideways), target, NOW, quiet))).toContain(
      `moved to ${place} already`,
    );
    target.close();
    await sideways.close();
  });

  test("gives new rows numbers behind all others", async () => {
    const highest = changeFile(file, (sqlite) =>
      sqlite.query("SELECT seq FROM sqlite_sequence WHERE name = 'contacts'").values(),
    )[0]![0];
    expect(await values("SELECT last_value FROM contacts_seq_seq")).toEqual([highest as number]);
  });

  test("answers as before, from either engine", async () => {
    changeFile(file, (sqlite) => sqlite.transaction(() => holdEverything(sqlite, NOW))());
    const services = openServices(from, world);
    const before = await seen(services);
    await services.close();
    const moved = await postgres();
    const after = await seen(moved);
    await moved.close();
    expect(after).toEqual(before);
  });

  test("owes each message once, to whichever node asks", async () => {
    const services = await postgres();
    const { heart } = await services.engine.join();
    const [mailing] = await values("SELECT seq FROM mailings WHERE source_id = 'cmp_owed'");
    const owed = [];
    for (let position = FRONT, isEnd = false; !isEnd;) {
      const stretch = await services.ledger.owed(mailing as number, position, NOW, ANYBODY);
      owed.push(...stretch.messages.map(({ number }) => number));
      ({ through: position, isEnd } = stretch);
    }
    expect(owed).toHaveLength(2_500);
    expect(new Set(owed).size).toBe(2_500);
    const [letter] = await values("SELECT seq FROM mailings WHERE source_id = 'aut_owed:letter'");
    expect((await services.ledger.owed(letter as number, FRONT, NOW, ANYBODY)).messages).toHaveLength(1);
    await heart.stop();
    await services.close();
  });

  test("may refer to contacts and plans that are gone, as older versions left them", async () => {
    await sql.unsafe("UPDATE deliveries SET contact = 1000000 WHERE contact IS NULL AND state = 'queued'");
    for (const [table, counted] of [
      ["mailing_skips", "'SUPPRESSED', 3"],
      ["mailing_reasons", "'failed', 'EXPIRED', 3"],
    ])
      await sql.unsafe(`INSERT INTO ${table} VALUES (1000000, ${counted})`);
  });

  test("may have a list whose removal was cut off", async () => {
    await sql.unsafe(`INSERT INTO lists (seq, id, workspace, name, search, created_at)
      VALUES (1000, 'removed:' || gen_random_uuid() || ':list_cut', 1, 'Cut', 'cut', 1)`);
    await sql.unsafe("INSERT INTO list_members SELECT 1000, seq, status, 1 FROM contacts");
  });

  test("comes back with every row as it was, and without what was being removed", async () => {
    const cut = moveToSqlite(address(), back, world, (_, table) => {
      if (table === "list_members") throw new Error("cut off");
    });
    expect(await refusalOf(cut)).toContain("cut off");
    // A server would begin with nobody in it, and take the name that the copy is to have.
    expect(() => openServices(back, world)).toThrow("postrider.db.moving is what a move has not completed");
    const listed = await postrider(back, ["workspace", "list"]);
    expect([listed.code, listed.err]).toEqual([1, expect.stringContaining("call `postrider move` again")]);
    expect(existsSync(`${back}/postrider.db`)).toBe(false);
    const { held } = await moveToSqlite(address(), back, world, quiet);
    expect(held).toBe(0);
    const [before, after] = [contentOf(file), contentOf(`${back}/postrider.db`)];
    for (const table of Object.keys(before)) expect([table, after[table]]).toEqual([table, before[table]]);
    const [indexes, made] = indexesOf(`${back}/postrider.db`);
    expect(indexes).toEqual(made);
    expect(changeFile(`${back}/postrider.db`, ledgerFaults)).toEqual(changeFile(file, ledgerFaults));
    expect(await refusalOf(moveToSqlite(address(), back, world, quiet))).toBe(
      `the data was moved to ${back}/postrider.db already: start servers and commands there`,
    );
    expect(await refusalOf(moveToSqlite(address(), from, world, quiet))).toContain("has a database already");
  });

  test("goes to one place only, also with two moves at once, and after the copy got another name", async () => {
    const mayMake = () => Promise.resolve();
    const opened = await openPostgres(database.url, { ...world, prepare: true, isMoving: false, mayMake });
    const source = postgresSource(opened);
    const rival = source.stamp().then((stamp) => source.retire(stamp, `${home.path}/rival`, look));
    expect(await refusalOf(rival)).toContain(`moved to ${back}/postrider.db already`);
    expect(await source.movedTo()).toBe(`${back}/postrider.db`);
    // A command that was under way then, such as a long import, tells what it could not do any more.
    const command = await openPostgresServices({ ...address(), dataDir: home.path, isCommand: true }, world);
    const workspace = await command.workspaces.pick(undefined);
    const create = () => refusalOf(command.lists.create(workspace, { name: "Late" }));
    expect(await create()).toContain(`moved to ${back}/postrider.db`);
    // So does one that writes after the last look.
    await sql.unsafe("UPDATE instance SET moved_to = NULL");
    // It does not wait for a server's trial of a write.
    await sql.begin(async (tx) => {
      await tx.unsafe("UPDATE instance SET created_at = created_at");
      expect(await create()).toBe("");
    });
    let late = create;
    const looking = (): Promise<void> => {
      const created = create();
      late = () => created;
      return Promise.resolve();
    };
    expect(await source.retire(await source.stamp(), `${back}/postrider.db`, looking)).toBeTrue();
    expect(await late()).toContain(`moved to ${back}/postrider.db`);
    await command.close();
    await opened.close();
    renameSync(back, `${back}-renamed`);
    expect(await refusalOf(moveToSqlite(address(), back, world, quiet))).toContain("is not there any more");
    expect(readdirSync(back)).toEqual(["server.lock"]);
    rmSync(back, { recursive: true });
    renameSync(`${back}-renamed`, back);
  });

  test("answers as before in its new file, and counts on", async () => {
    const [old, young] = [openServices(from, world), openServices(back, world)];
    expect(await seen(young)).toEqual(await seen(old));
    const workspace = await young.workspaces.pick(undefined);
    const before = await young.lists.page(workspace, null, PAGE);
    await young.lists.create(workspace, { name: "Another" });
    expect((await young.lists.page(workspace, null, PAGE)).total).toBe(before.total + 1);
    await young.close();
    await old.close();
  });

  test("lets no node join where it was, until it is taken back with everything held", async () => {
    const services = await postgres();
    expect(await refusalOf(services.engine.join())).toContain(`moved to ${back}/postrider.db`);
    expect(await values("SELECT count(*) FROM nodes WHERE fenced_at IS NULL")).toEqual([0]);
    await sql.unsafe("UPDATE mailings SET held = 0");
    const setting = "INSERT INTO settings (workspace, key, value) VALUES (1, $1, 'pop3s://u:p@h')";
    for (const key of ["bounceMailbox", "bounceMailboxOfCopy"]) await sql.unsafe(setting, [key]);
    const session = "INSERT INTO sessions (id, person, hash, stays, created_at, last_seen_at)";
    await sql.unsafe(`${session} VALUES ('s', 1, '\\x01', true, 0, 0)`);
    await takeBack(home.path, address(), world);
    expect(await values("SELECT count(*) FROM sessions")).toEqual([0]);
    expect(await values("SELECT held FROM mailings WHERE phase = 'sending'")).toEqual([1, 1, 1]);
    const mailboxes = "FROM settings WHERE key LIKE 'bounceMailbox%'";
    expect(await values(`SELECT (key = 'bounceMailboxOfCopy')::int ${mailboxes}`)).toEqual([1]);
    expect(await refusalOf(takeBack(home.path, address(), world))).toContain("nothing to take back");
    await services.close();
  });

  test("is not moved while a node uses it", async () => {
    const services = await postgres();
    const { heart } = await services.engine.join();
    expect(await refusalOf(moveToSqlite(address(), `${home.path}/third`, world, quiet))).toContain(
      "servers use it (1)",
    );
    await heart.stop();
    await services.close();
  });
});

test("a move that was cut off after its source was marked goes on", async () => {
  const home = temporaryDirectory();
  mkdirSync(`${home.path}/from`);
  databaseToMove(`${home.path}/from/postrider.db`);
  const database = openSqlite(`${home.path}/from`, clock, systemRandom);
  const source = sqliteSource(database);
  expect(await source.retire("another stamp", "nowhere", look)).toBe(false);
  expect(await source.movedTo()).toBeNull();

  const cut = sqliteTarget(`${home.path}/to`, NOW);
  const failing = { ...cut, finish: () => Promise.reject(new Error("cut off")) };
  expect(await refusalOf(moveDatabase(source, failing, NOW, quiet))).toBe("cut off");
  cut.close();
  expect(await source.movedTo()).toBe(`${home.path}/to/postrider.db`);
  // What is left of a database that a crash and a person moved away.
  for (const end of ["-wal", "-shm"]) writeFileSync(`${home.path}/to/postrider.db${end}`, "of another");
  const target = sqliteTarget(`${home.path}/to`, NOW);
  const rival = source.stamp().then((stamp) => source.retire(stamp, "elsewhere", look));
  expect(await refusalOf(rival)).toContain(`moved to ${home.path}/to/postrider.db already`);
  expect((await moveDatabase(source, target, NOW, quiet)).held).toBe(4);
  expect(readdirSync(`${home.path}/to`)).toEqual(["postrider.db"]);
  await database.close();
  home.remove();
});

test("a copy that refers to something that is not there leaves its source in use", async () => {
  const home = temporaryDirectory();
  mkdirSync(`${home.path}/from`);
  const file = `${home.path}/from/postrider.db`;
  databaseToMove(file);
  changeFile(file, (sqlite) => {
    sqlite.run("PRAGMA foreign_keys = OFF");
    sqlite.run(
      "UPDATE list_members SET contact = 1000000 WHERE contact = (SELECT max(contact) FROM list_members)",
    );
  });
  const move = async () => {
    const database = openSqlite(`${home.path}/from`, clock, systemRandom);
    const [source, target] = [sqliteSource(database), sqliteTarget(`${home.path}/to`, NOW)];
    const refusal = await refusalOf(moveDatabase(source, target, NOW, quiet));
    const place = await source.movedTo();
    target.close();
    await database.close();
    return { refusal, place };
  };
  const refused = { refusal: expect.stringContaining("1 rows refer to something"), place: null };
  expect(await move()).toEqual(refused);
  // It is as it was: the next call says the same.
  expect(await move()).toEqual(refused);
  expect(readdirSync(`${home.path}/to`)).not.toContain("postrider.db");
  home.remove();
});
