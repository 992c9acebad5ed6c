import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { inspect } from "#app/database.ts";
import { openServices, type SqliteServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { EVERY_CONSENT } from "#contacts/consent/consent-filter.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { FILLED } from "../support/storage/filled-database.ts";
import { ledgerFaults } from "../support/storage/ledger-check.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";
import { dumpSql } from "../support/storage/sql-dump.ts";

const FIXTURES = resolve(import.meta.dir, "../fixtures");
const fixtures = readdirSync(FIXTURES).filter((name) => name.endsWith(".sql"));
const FIRST_PAGE = { limit: 20, before: null };

/** A file as that version left it. */
function fixtureAt(path: string, fixture: string): Map<string, number> {
  const sqlite = new Database(path);
  sqlite.exec("PRAGMA foreign_keys = OFF");
  sqlite.exec(readFileSync(`${FIXTURES}/${fixture}`, "utf8"));
  const counts = countsOf(sqlite);
  sqlite.close();
  return counts;
}

function countsOf(sqlite: Database): Map<string, number> {
  const names = sqlite
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'contact_search%'",
    )
    .all();
  return new Map(
    names
      .filter(({ name }) => !["schema_migrations", "sqlite_sequence"].includes(name))
      .map(({ name }) => [
        name,
        sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()!.n,
      ]),
  );
}

/** What everybody who upgrades would look for first. */
async function checkRows(services: SqliteServices, hasAttributes: boolean): Promise<void> {
  const { workspaces, contacts, lists, campaigns, suppressions, forms, automations } = services;
  const workspace = await workspaces.pick(undefined);
  expect((await workspaces.settings(workspace)).mailingAddress).toContain("Analytical Way");
  const found = await contacts.page(workspace, { status: null, tag: "early", q: "ADA@" }, FIRST_PAGE);
  expect(found.items).toMatchObject([
    { email: "ada@example.com", tags: ["early", "x;y"], status: "SUBSCRIBED" },
  ]);
  const [ada] = found.items;
  if (hasAttributes) expect(ada?.attributes).toEqual(FILLED.attributes);
  const names = (await services.attributes.list(workspace)).map(({ name }) => name);
  expect(names).toEqual(hasAttributes ? Object.keys(FILLED.attributes).toSorted() : []);
  const bounced = await contacts.page(workspace, { status: "BOUNCED", tag: null, q: null }, FIRST_PAGE);
  expect([bounced.total, bounced.items[0]?.email]).toEqual([1, FILLED.bounced]);
  const list = (await lists.page(workspace, FILLED.list, FIRST_PAGE)).items[0]!;
  const members = await lists.contacts(workspace, list.id, { status: null, q: null }, FIRST_PAGE);
  expect(members.items.map(({ email }) => email)).toEqual(expect.arrayContaining([...FILLED.subscribed]));
  const all = (await campaigns.page(workspace, { status: null, q: null }, FIRST_PAGE)).items;
  expect(all).toMatchObject([
    { name: FILLED.draft, status: "SCHEDULED", scheduledAt: Date.UTC(2099, 0, 1) },
    { name: FILLED.campaign, status: "SENT", stat: { sent: 2, bounced: 1 } },
  ]);
  expect((await suppressions.find(workspace, FILLED.suppressed))?.reason).toBe("MANUAL");
  const manual = await suppressions.page(workspace, { reason: "MANUAL", q: null }, FIRST_PAGE);
  expect([manual.total, manual.items]).toMatchObject([1, [{ email: FILLED.suppressed }]]);
  const log = await Array.fromAsync(contacts.consentLog(workspace));
  expect((await contacts.consentPage(workspace, EVERY_CONSENT, FIRST_PAGE)).total).toBe(log.length);
  expect((await suppressions.domainPage(workspace, FIRST_PAGE)).total).toBe(1);
  expect(await suppressions.blockedDomains(workspace)).toMatchObject([{ domain: FILLED.blockedDomain }]);
  expect((await forms.page(workspace, FIRST_PAGE)).items).toMatchObject([
    { name: FILLED.form, listId: list.id },
  ]);
  expect((await automations.page(workspace, null, FIRST_PAGE)).items).toMatchObject([
    { name: FILLED.automation, status: "LIVE", activeEnrollments: 1 },
  ]);
}

/** Tables a migration took away, and counts it adds to: what they hold is told by others. */
const DROPPED: ReadonlySet<string> = new Set(["contact_events", "record_counts"]);

describe("a database of an earlier version", () => {
  test.each(fixtures)("opens, is brought up and keeps its rows: %s", async (fixture) => {
    const home = temporaryDirectory();
    const before = fixtureAt(`${home.path}/postrider.db`, fixture);
    expect((await inspect(`${home.path}/postrider.db`, systemClock.now())).foreignPart).toBeNull();
    const lines: string[] = [];
    const telling = createLog({
      level: "info",
      format: "json",
      clock: systemClock,
      write: (line) => lines.push(line),
    });
    const services = openServices(home.path, { clock: systemClock, random: systemRandom, log: telling });
    const { sqlite, migrated } = services.database;
    const newer = MIGRATIONS.filter(
      ({ name }) => name.slice(0, 4) > fixture.slice("schema-".length, -".sql".length),
    );
    expect(migrated).toEqual(newer.map(({ name }) => name));
    expect(sqlite.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    expect(sqlite.query("PRAGMA foreign_key_check").all()).toEqual([]);
    const after = countsOf(sqlite);
    const isBeforeHooks = newer.some(({ name }) => name.endsWith("_hook_secrets"));
    for (const [table, rows] of before) {
      // Each workspace gets the secret that it has no setting for yet.
      const added =
        table === "settings" && isBeforeHooks ? present(before.get("workspaces"), "workspaces") : 0;
      if (!DROPPED.has(table)) expect([table, after.get(table)]).toEqual([table, rows + added]);
    }
    expect(ledgerFaults(sqlite)).toEqual([]);
    await checkRows(services, fixture >= "schema-0013.sql");
    const backups = readdirSync(home.path).filter((name) => name.includes(".before-"));
    expect(backups).toHaveLength(newer.length > 0 ? 1 : 0);
    const from = MIGRATIONS.at(-1 - newer.length)!.name;
    const to = MIGRATIONS.at(-1)!.name;
    const copy = `${home.path}/${backups[0]}`;
    // A busy machine may take so long that it is told how it goes on.
    const told = lines.map((line) => JSON.parse(line)).filter(({ message }) => !message.includes("goes on"));
    expect(told).toMatchObject(
      newer.length === 0
        ? []
        : [
            { level: "info", from, to },
            { level: "info", from, to, copy },
          ],
    );
    await services.close();
    expect((await inspect(`${home.path}/postrider.db`, systemClock.now())).foreignPart).toBeNull();
    if (newer.length > 0)
      expect(await inspect(copy, systemClock.now())).toMatchObject({ damage: null, foreignPart: null });
    home.remove();
  });

  test("is kept for today's schema too: where this fails, run `bun scripts/fixture.ts`", () => {
    expect(fixtures).toContain(`schema-${MIGRATIONS.at(-1)!.name.slice(0, 4)}.sql`);
  });
});

test("an upgrade ends the confirmation links of everybody who is out by then, and of nobody else", () => {
  const sqlite = new Database(":memory:");
  const firstWith = MIGRATIONS.findIndex(({ name }) => name.endsWith("_returning"));
  // Statement by statement: `migrate` would put a copy beside the file, and this database has none.
  for (const { sql } of MIGRATIONS.slice(0, firstWith)) sqlite.exec(sql);
  sqlite.exec("PRAGMA foreign_keys = OFF");
  const cast = [
    ["pending", "PENDING", null, null],
    ["subscribed", "SUBSCRIBED", null, null],
    ["left", "UNSUBSCRIBED", null, 1],
    ["bounced", "BOUNCED", null, 1],
    ["suppressed", "SUBSCRIBED", "UNSUBSCRIBED", 1],
    ["deleted", null, null, 1],
  ] as const;
  for (const [i, [name, status, suppression]] of cast.entries()) {
    const address = `${name}@example.com`;
    if (status)
      sqlite.run(
        "INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at) VALUES (?, 1, ?, '', '', '[]', ?, '', 0)",
        [name, address, status],
      );
    if (suppression)
      sqlite.run("INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, ?, ?, 0)", [
        address,
        suppression,
      ]);
    sqlite.run(
      "INSERT INTO confirmations (delivery, workspace, form_id, address, created_at) VALUES (?, 1, 'f', ?, 1)",
      [i, address],
    );
  }
  sqlite.exec(MIGRATIONS[firstWith]!.sql);
  const links = sqlite.query("SELECT voided_at, returns FROM confirmations ORDER BY delivery").values();
  expect(links).toEqual(cast.map(([, , , voided]) => [voided, 0]));
});

test("an upgrade fills the figures from what is there, by workspace and quarter of an hour", () => {
  const sqlite = new Database(":memory:");
  const firstWith = MIGRATIONS.findIndex(({ name }) => name.endsWith("_activity"));
  for (const { sql } of MIGRATIONS.slice(0, firstWith)) sqlite.exec(sql);
  sqlite.exec("PRAGMA foreign_keys = OFF");
  const quarter = 900_000;
  for (const workspace of [1, 2]) {
    const id = `ct_${workspace}`;
    sqlite.run(
      "INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at) VALUES (?, ?, 'a@example.com', '', '', '[]', 'SUBSCRIBED', '', ?)",
      [id, workspace, quarter - 1],
    );
    sqlite.run(
      "INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at) VALUES (?, ?, 'campaign', ?, 'finished', 0)",
      [workspace, workspace, id],
    );
  }
  const messages = [
    ["sent", 0, quarter, quarter + 1],
    ["sent", quarter - 1, 2 * quarter, null],
    ["bounced", quarter, null, null],
    ["failed", quarter, null, null],
    ["skipped", null, null, null],
    ["queued", null, null, null],
  ] as const;
  for (const [i, [state, settledAt, openedAt, clickedAt]] of messages.entries())
    sqlite.run(
      "INSERT INTO deliveries (mailing, address, visit, state, settled_at, opened_at, clicked_at) VALUES (1, 'a', ?, ?, ?, ?, ?)",
      [i, state, settledAt, openedAt, clickedAt],
    );
  const consents = [
    ["ct_1", "WITHDRAWN", "api"],
    ["ct_1", "WITHDRAWN", "api"],
    ["ct_1", "GIVEN", "api"],
    ["ct_1", "WITHDRAWN", "unsubscribe"],
    ["ct_1", "WITHDRAWN", "bounce"],
    ["", "WITHDRAWN", "unsubscribe"],
  ] as const;
  for (const [id, action, source] of consents)
    sqlite.run(
      "INSERT INTO consent_log (workspace, contact_id, address, action, source, at) VALUES (1, ?, 'a', ?, ?, 5)",
      [id, action, source],
    );
  for (const [reason, at] of [
    ["COMPLAINT", 2 * quarter],
    ["MANUAL", 0],
  ] as const)
    sqlite.run("INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, ?, ?, ?)", [
      reason,
      reason,
      at,
    ]);
  for (const at of [0, 1, quarter])
    sqlite.run(
      "INSERT INTO events (id, workspace, name, contact, properties, created_at) VALUES ('e', 2, 'seen', 2, '{}', ?)",
      [at],
    );
  sqlite.exec(MIGRATIONS[firstWith]!.sql);
  // workspace, quarter, sent, bounced, opened, clicked, unsubscribed, complained, new contacts, events
  expect(sqlite.query("SELECT * FROM activity_counts ORDER BY 1, 2").values()).toEqual([
    [1, 0, 2, 0, 0, 0, 2, 0, 1, 0],
    [1, quarter, 0, 1, 1, 1, 0, 0, 0, 0],
    [1, 2 * quarter, 0, 0, 1, 0, 0, 1, 0, 0],
    [2, 0, 0, 0, 0, 0, 0, 0, 1, 2],
    [2, quarter, 0, 0, 0, 0, 0, 0, 0, 1],
  ]);
});

test("the text of a database makes the same database again", () => {
  const made = new Database(":memory:");
  made.exec(readFileSync(`${FIXTURES}/${fixtures.at(-1)}`, "utf8"));
  const text = dumpSql(made);
  const again = new Database(":memory:");
  again.exec(text);
  expect(dumpSql(again)).toBe(text);
  expect(again.query("SELECT rowid FROM contact_search('\"ada\"')").values().length).toBeGreaterThan(0);
});

test("an upgrade makes the first message's personal links its own, and erases those of deleted contacts", () => {
  const sqlite = new Database(":memory:");
  const firstWith = MIGRATIONS.findIndex(({ name }) => name.endsWith("_personal_links"));
  for (const { sql } of MIGRATIONS.slice(0, firstWith)) sqlite.exec(sql);
  sqlite.exec("PRAGMA foreign_keys = OFF");
  sqlite.exec(`
    INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at) VALUES (1, 1, 'campaign', 'c', 'finished', 0);
    INSERT INTO mailing_links VALUES (1, 0, 'https://a.example/all'), (1, 1, 'https://a.example/of/first');
    INSERT INTO link_clicks VALUES (1, 1, 'https://a.example/of/deleted', 2, 1), (2, 1, 'https://a.example/of/other', 1, 1);
    INSERT INTO delivery_clicks VALUES (3, 1), (2, 2)`);
  // The fourth was not tried yet, and the fifth has all its links as its own.
  const tried = [1, 1, 1, null, 1];
  for (const [n, at] of tried.entries())
    sqlite.run(
      "INSERT INTO deliveries (seq, mailing, contact, address, state, first_attempt_at) VALUES (?, 1, ?, ?, 'queued', ?)",
      [n + 1, n === 2 ? null : n + 1, `${n}@example.com`, at],
    );
  sqlite.exec(`INSERT INTO delivery_links VALUES (2, -3, 'https://a.example/of/other'), (3, -3, 'https://a.example/of/deleted'),
    (5, 0, 'https://a.example/of/fifth')`);
  sqlite.exec(MIGRATIONS[firstWith]!.sql);
  expect(sqlite.query("SELECT number, url FROM mailing_links").values()).toEqual([
    [0, "https://a.example/all"],
    [1, ""],
  ]);
  expect(sqlite.query("SELECT * FROM delivery_links ORDER BY delivery").values()).toEqual([
    [1, -3, "https://a.example/of/first"],
    [2, -3, "https://a.example/of/other"],
    [3, -3, ""],
    [5, 0, "https://a.example/of/fifth"],
  ]);
  expect(sqlite.query("SELECT seq, url, clicks FROM link_clicks").values()).toEqual([
    [1, "-1", 2],
    [2, "https://a.example/of/other", 1],
  ]);
});
