import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { relative, resolve } from "node:path";
import { atOnce } from "#core/time/event-loop.ts";
import { hardBounce } from "#storage/sqlite/consent/consent-writes.ts";
import { databaseFigures } from "#storage/sqlite/engine/figures.ts";
import { probeWrite } from "#storage/sqlite/engine/writes/probe-write.ts";
import { eventIndex } from "#storage/sqlite/events/event-index.ts";
import { storedRule } from "#segments/rules-input.ts";
import { searchMerges } from "#storage/sqlite/search/search-merges.ts";
import { answerAudience } from "#storage/sqlite/segments/sets/audience-sets.ts";
import { Population } from "#storage/sqlite/segments/sets/population.ts";
import { SegmentSets } from "#storage/sqlite/segments/sets/segment-sets.ts";
import { KEYS, post, signedBy } from "../support/inbound/hooks.ts";
import { sqliteSendingStores, sqliteStores } from "#app/sqlite-stores.ts";
import type { Plan } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import { systemClock } from "#core/time/clock.ts";
import { moveDatabase } from "#move/service.ts";
import { sqliteSource } from "#storage/sqlite/move/move-source.ts";
import { sqliteTarget } from "#storage/sqlite/move/move-target.ts";
import { inspectDatabase } from "#storage/sqlite/files/inspect.ts";
import { keepDecisions } from "#storage/sqlite/files/kept-decisions.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { takeBack } from "#storage/sqlite/run/moved-to.ts";
import { takeOver } from "#storage/sqlite/run/takeover.ts";
import { newCampaign } from "../support/sending/campaigns.ts";
import { startApi, type TestApi } from "../support/server/api.ts";
import { png, uploadImage } from "../support/server/images.ts";
import { temporaryDirectory } from "../support/server/postrider.ts";
import { assertedRows, type AssertedRow } from "../support/house/asserted-rows.ts";

const ROOT = resolve(import.meta.dir, "../..");

/**
 * What SQLite says about a statement's rows: the name of each column, and its declared type if it is stored
 * and not computed.
 */
type Given = {
  readonly sql: string;
  readonly columns: ReadonlyMap<string, string | null>;
};

type Compile = (
  this: Database,
  sql: string,
  ...rest: unknown[]
) => { columnNames: string[]; declaredTypes: (string | null)[] };

/**
 * Every statement that `work` compiles, by the place in the source that asks for it. It is compiled at once,
 * not at its first run.
 */
async function compiledDuring(work: () => Promise<void>): Promise<Map<string, Given>> {
  const given = new Map<string, Given>();
  const real = Object.getOwnPropertyDescriptors(Database.prototype);
  for (const name of ["query", "prepare"] as const) {
    const compile = real[name].value as Compile;
    Object.defineProperty(Database.prototype, name, {
      configurable: true,
      // Where the method is looked up, not where it is called: a call at the end of a function does not
      // appear in the trace.
      get() {
        const place = placeIn(new Error().stack!);
        return function compileAndLook(this: Database, sql: string, ...rest: unknown[]) {
          const statement = compile.call(this, sql, ...rest);
          const { columnNames, declaredTypes } = statement;
          const columns = new Map(columnNames.map((column, i) => [column, declaredTypes[i] ?? null]));
          given.set(place, { sql, columns });
          return statement;
        };
      },
      // Whoever asks for laziness gets none.
      set() {},
    });
  }
  try {
    await work();
  } finally {
    Object.defineProperties(Database.prototype, { query: real.query, prepare: real.prepare });
  }
  return given;
}

/** `path:line:column` of whoever looked: the second line of the trace. */
function placeIn(stack: string): string {
  const [, path = "", place = ""] = /\(?(\/[^():]*):(\d+:\d+)\)?$/.exec(stack.split("\n")[2] ?? "") ?? [];
  return `${relative(ROOT, path)}:${place}`;
}

/** Opens every store, and asks for whatever makes its statements when it is asked. */
async function everyStatement(): Promise<void> {
  const api = await startApi();
  const { database, ledger, contacts } = api.services;
  const { sqlite, writes } = database;
  await api.call("GET", "/contacts?q=few");
  sqlite.run(
    `INSERT INTO contacts (id, workspace, email, first_name, last_name, tags, status, search, created_at)
     SELECT 'ct_' || value, 1, 'reader-' || value || '@example.com', '', '', '["vip"]', 'SUBSCRIBED', 'reader-' || value, 0 FROM json_each(?)`,
    [JSON.stringify(Array.from({ length: 1_100 }, (_, i) => i))],
  );
  for (const query of ["", "?q=reader-77", "?q=reader", "?tag=vip&q=reader"])
    await api.call("GET", `/contacts${query}`);
  await api.call("POST", "/contacts", { email: "ada@example.com", attributes: { city: "London" } });
  await api.call("DELETE", "/attributes/city");
  await Array.fromAsync(contacts.consentLog(api.workspaceId));
  await eventIndex(database).catchUp();
  await searchMerges(database).catchUp();
  await databaseFigures(database)(0);
  await probeWrite(database);
  const { beat } = await takeOver(database, ledger, 0, false);
  const bounced = { workspace: 1, address: "reader-1@example.com", now: 0 };
  await writes.write(() => atOnce(hardBounce(sqlite, bounced)));
  await beat(0);
  for (const query of ["", "?q=reader"]) await api.call("GET", `/suppressions${query}`);
  const { body: list } = await api.call("POST", "/lists", { name: "Spring" });
  const campaign = await newCampaign(api, { listId: list.data.id });
  await planAndStop(api, [campaign.id, (await newCampaign(api, { listId: list.data.id })).id]);
  sqlite.run(
    "INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at) VALUES (99, 1, 'campaign', 'x', 'stopped', 0)",
  );
  sqlite.run("INSERT INTO deliveries (mailing, address, state) VALUES (99, 'a@example.com', 'sent')");
  sqlite.run("UPDATE campaigns SET mailing = 99");
  await api.call("DELETE", `/lists/${list.data.id}`);
  await api.call("DELETE", "/contacts/ct_2");
  askSegments(sqlite, campaign.id);
  await uploadImage(api, png());
  const { body: webhook } = await api.call("POST", "/webhooks", {
    url: "https://example.com/",
    events: ["*"],
  });
  await api.call("GET", `/webhooks/${webhook.data.id}/deliveries`);
  await api.services.workspaces.changeSettings(api.workspaceId, KEYS);
  await post(api, "mailgun", signedBy("mailgun", { "event-data": {} }));
  await api.call("GET", "/messages");
  inspectDatabase(sqlite.filename, "quick", systemClock.now());
  keepDecisions(sqlite, sqlite);
  await moveElsewhere(database);
  await api.stop();
}

/** The first is planned, sent and stopped; the second is taken back. */
async function planAndStop({ services, workspaceId }: TestApi, [first, second]: [string, string]) {
  const { plans } = sqliteSendingStores(services);
  const begin = async (id: string): Promise<Plan> => {
    const options = { excludeEmails: ["ada@example.com"], scheduledAt: null, overrideQuietHours: false };
    return present(await plans.begin(workspaceId, id, options, 0), "plan");
  };
  await plans.complete(await begin(first), {
    day: "2026-11-23",
    month: "2026-11",
    now: 0,
    isChecked: () => true,
    check: () => null,
    freeze: () => ({}) as any,
  });
  await sqliteStores(services.database).sendControl.stop(workspaceId, first, 0);
  const plan = await begin(second);
  await plans.giveUp(plan);
  while (!(await plans.abandon(plan, 100)));
}

/** From SQLite to SQLite: it is the same on either side. The second target goes on with what the first has begun. */
async function moveElsewhere(database: SqliteDatabase): Promise<void> {
  const home = temporaryDirectory();
  sqliteTarget(home.path, 0).close();
  await moveDatabase(sqliteSource(database), sqliteTarget(home.path, 0), 0, () => undefined);
  await takeBack(database, 0);
  home.remove();
}

/** What a segment's thread would ask. */
function askSegments(sqlite: Database, campaignId: string): void {
  const population = new Population(sqlite, 1, 0);
  const sets = new SegmentSets(population);
  const seen = { field: "event", op: "atLeast", name: "seen", value: 1 };
  for (const condition of [
    { field: "email", op: "exists" },
    { field: "list", op: "equals", value: "list_x" },
    { field: "segment", op: "equals", value: "seg_x" },
    {
      all: [
        { field: "status", op: "equals", value: "SUBSCRIBED" },
        { ...seen, where: [] },
      ],
    },
    { field: "score", op: "equals", value: 1 },
    { field: "attributes.city", op: "before", value: "2026-01-01" },
    seen,
    { ...seen, where: [{ property: "a", op: "exists" }] },
    { field: "opened", op: "equals", value: "any" },
    { field: "opened", op: "equals", value: campaignId },
  ])
    sets.ofRule(storedRule(condition));
  answerAudience(sets, population, {
    kind: "audience",
    wants: "tally",
    excludeEmails: ["ada@example.com"],
    domains: [["example.com"]],
    audience: { listId: "list_x", segmentId: "seg_x", excludeListIds: ["list_y"], excludeSegmentIds: [] },
  });
}

/** These copy, restore and checkpoint, in threads of their own, at an upgrade or without a server. */
const NOT_COMPILED = [
  "files/free-room.ts",
  "files/restore.ts",
  "schema/migrate.ts",
  "upkeep/backup-thread.ts",
  "upkeep/checkpoint-thread.ts",
];
/** Tables that Drizzle has no say in. */
const NOT_DRIZZLES = /\bFROM (sqlite_master|sqlite_sequence|schema_migrations|moving)\b/;
const KINDS: Readonly<Record<string, string>> = { INTEGER: "number", TEXT: "string", BLOB: "bytes" };

/** What is wrong with the type a statement's author gave its rows. */
function faults(asserted: AssertedRow, { sql, columns }: Given): string[] {
  if (asserted === null) return [];
  const names = (row: ReadonlyMap<string, unknown>): string => [...row.keys()].toSorted().join(", ");
  if (names(asserted) !== names(columns)) return [`gives ${names(columns)}; its type has ${names(asserted)}`];
  return [...asserted].flatMap(([name, { kind, isDerived }]) => {
    const declared = columns.get(name) ?? null;
    if (declared === null) return [];
    if (kind !== KINDS[declared]) return [`gives ${name} as ${declared}; its type has ${kind}`];
    if (isDerived || NOT_DRIZZLES.test(sql)) return [];
    return [`gives ${name} as it is stored; its type is not taken from the schema`];
  });
}

test("the check can fail: by a column too many or too few, by its kind, and by a type that is not the schema's", () => {
  const asserted = (kind: "number" | "string", isDerived: boolean) => new Map([["n", { kind, isDerived }]]);
  const gives = (...columns: [string, string | null][]): Given => ({ sql: "", columns: new Map(columns) });
  expect(faults(asserted("number", true), gives(["n", "INTEGER"]))).toEqual([]);
  expect(faults(asserted("number", false), gives(["n", null]))).toEqual([]);
  expect(faults(asserted("number", true), gives())).toHaveLength(1);
  expect(faults(asserted("number", true), gives(["n", "INTEGER"], ["m", null]))).toHaveLength(1);
  expect(faults(asserted("number", true), gives(["n", "TEXT"]))).toHaveLength(1);
  expect(faults(asserted("number", false), gives(["n", "INTEGER"]))).toHaveLength(1);
});

// The compiler reads the whole of src/storage for this: some seconds, many on a busy machine.
const TIMEOUT_MS = 180_000;

test(
  "the type of every statement's rows has the columns that it gives, and of stored ones the schema's types",
  async () => {
    const asserted = assertedRows();
    const given = await compiledDuring(everyStatement);
    const wrong = [...given].flatMap(([place, row]) =>
      faults(asserted.get(place) ?? null, row).map((fault) => `${place} ${fault}`),
    );
    expect(wrong).toEqual([]);
    const notCompiled = [...asserted.keys()].filter((place) => !given.has(place));
    const files = notCompiled.map((place) => place.replace(/^src\/storage\/sqlite\/|:.*$/g, ""));
    expect(files.toSorted()).toEqual(NOT_COMPILED);
  },
  TIMEOUT_MS,
);
