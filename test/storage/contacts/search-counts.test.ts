import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTACT_STATUSES } from "#contacts/contact.ts";
import { searchCounts, type CountSource } from "#storage/sqlite/search/search-counts.ts";
import { startApi, type Home, type TestApi } from "../../support/server/api.ts";
import { dice } from "../../support/common/dice.ts";
import { advanceSearchIndex } from "../../support/people/people.ts";
import { postrider } from "../../support/server/postrider.ts";

const SEED = 60_003;
/** More than are read through for a `q`: in every set that is searched here. */
const CONTACTS = 3_000;
const ROUNDS = 12;
const STEPS_A_ROUND = 40;

let chance = dice(SEED);
// Every test rolls from the start, so that it does the same alone and in any order.
beforeEach(() => void (chance = dice(SEED)));
const roll = (sides: number): number => chance.roll(sides);
const one = <T>(from: readonly T[]): T => chance.pick(from);

const FIRST = ["Ada", "Grace", "Élodie", "Σίσυφος", "50%_off", "a\nb", ""];
/** Each is had by so many that its total is kept, in each of the sets. */
const TERMS = ["a", "ada", "reader", "example", "RA", "élo", "d@", "σίσυφος", "@example.com", "%_", "er-1"];
const STATUSES = ["PENDING", "SUBSCRIBED", "PENDING", "SUBSCRIBED", "PENDING", "UNSUBSCRIBED", "BOUNCED"];
const TAG_CHOICES = [["vip"], ["vip"], ["vip", "beta"], ["beta"], []];

/** Made once, and copied for every test: nothing else would make so many contacts fast enough. */
let template: Home;
let everybody: readonly string[] = [];
let api: TestApi;
let list = "";
let ids: string[] = [];
beforeAll(async () => {
  const made = await startApi();
  list = (await made.call("POST", "/lists", { name: "Readers" })).body.data.id;
  const people = Array.from({ length: CONTACTS }, (_, n) => person(n));
  const answers = await Promise.all(people.map((body) => made.call("POST", "/contacts", body)));
  everybody = answers.map(({ body }) => body.data.id);
  await made.call("POST", `/lists/${list}/contacts`, { contactIds: everybody });
  await made.stop({ keep: true });
  template = made;
});
beforeEach(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-test-"));
  cpSync(template.dataDir, dataDir, { recursive: true });
  api = await startApi({ home: { ...template, dataDir } });
  ids = [...everybody];
  posted = CONTACTS;
});
afterEach(() => api.stop());
afterAll(() => rmSync(template.dataDir, { recursive: true }));

const person = (n: number) => ({
  email: `${n % 4 ? "reader" : "ada"}-${n}@example.${n % 3 ? "com" : "org"}`,
  firstName: FIRST[n % FIRST.length]!,
  tags: n % 8 ? ["vip"] : [],
  status: n % 5 ? "SUBSCRIBED" : "PENDING",
});

type Step = () => Promise<unknown>;
let posted = CONTACTS;
const STEPS: Record<string, Step> = {
  "somebody comes": async () => {
    const { body } = await api.call("POST", "/contacts", { ...person(posted++), status: one(STATUSES) });
    ids.push(body.data.id);
  },
  "somebody comes again": () =>
    api.call("POST", "/contacts", {
      ...person(roll(CONTACTS)),
      firstName: one(FIRST),
      tags: one(TAG_CHOICES),
    }),
  "a name changes": () =>
    api.call("PATCH", `/contacts/${one(ids)}`, { firstName: one(FIRST), lastName: one(FIRST) }),
  "an address changes": () =>
    api.call("PATCH", `/contacts/${one(ids)}`, { email: `moved-${posted++}@example.com` }),
  "tags change": () => api.call("PATCH", `/contacts/${one(ids)}`, { tags: one(TAG_CHOICES) }),
  "a status changes": () => api.call("PATCH", `/contacts/${one(ids)}`, { status: one(STATUSES) }),
  "everything changes at once": () =>
    api.call("PATCH", `/contacts/${one(ids)}`, {
      firstName: one(FIRST),
      email: `grace-${posted++}@example.org`,
      tags: one(TAG_CHOICES),
      status: one(STATUSES),
    }),
  "somebody declines": () => api.call("PATCH", `/contacts/${one(ids)}`, { consent: "declined" }),
  "the index follows": () => advanceSearchIndex(api, 1 + roll(20)),
  "somebody goes": () => api.call("DELETE", `/contacts/${one(ids)}`),
  "an event brings somebody": () =>
    api.call("POST", "/events", { name: "seen", email: `ada-${posted++}@example.com` }),
  "some join the list": () =>
    api.call("POST", `/lists/${list}/contacts`, { contactIds: [...new Set([one(ids), one(ids)])] }),
  "somebody leaves the list": () => api.call("DELETE", `/lists/${list}/contacts/${one(ids)}`),
};

type Row = { workspace: number; list: number; tag: string; term: string; through: number } & Record<
  string,
  number
>;
const query = <T>(sql: string, ...values: (string | number)[]): T[] =>
  api.services.database.sqlite.query<T, (string | number)[]>(sql).all(...values);
const keptRows = (): Row[] => query<Row>("SELECT * FROM search_counts ORDER BY number");

/** More at once than are counted with the question. */
const CAME = 4_100;
const manyCome = (): unknown =>
  query(
    `WITH RECURSIVE n (i, email) AS (SELECT 1, 'ada-came-1@example.com' UNION ALL SELECT i + 1, 'ada-came-' || (i + 1) || '@example.com' FROM n WHERE i < ?)
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_came_' || i, 1, email, '', '', 'SUBSCRIBED', email || char(10) || char(10), 0 FROM n`,
    CAME,
  );
const theyGo = (): unknown => query("DELETE FROM contacts WHERE id LIKE 'ct_came_%'");

/** What a kept total has to be: counted afresh from the contacts themselves. */
function recounted(row: Row): object {
  const counts = query<{ status: string; n: number }>(
    `SELECT status, count(*) AS n FROM contacts WHERE workspace = ?1 AND instr(search, ?2) > 0 AND seq <= ?3
       AND (?4 = '' OR ?4 IN (SELECT value FROM json_each(tags)))
       AND (?5 = 0 OR seq IN (SELECT contact FROM list_members WHERE list = ?5)) GROUP BY 1`,
    row.workspace,
    row.term,
    row.through,
    row.tag,
    row.list,
  );
  const byStatus = Object.fromEntries(CONTACT_STATUSES.map((status) => [status.toLowerCase(), 0]));
  for (const { status, n } of counts) byStatus[status.toLowerCase()] = n;
  return { ...row, ...byStatus };
}

const setPaths = () => ["/contacts?", "/contacts?tag=vip&", `/lists/${list}/contacts?`];
const totalOf = async (path: string): Promise<number> => (await api.call("GET", path)).body.pagination.total;

async function searchAll(): Promise<void> {
  for (const set of setPaths())
    for (const term of TERMS.slice(0, 8)) await totalOf(`${set}q=${encodeURIComponent(term)}`);
}

describe("a kept total is what a fresh count says", () => {
  test(`whatever is written, in whatever order (seed ${SEED})`, async () => {
    await searchAll();
    const kept = keptRows();
    expect(kept.length).toBeGreaterThan(15);
    expect(new Set(kept.map(({ through }) => through))).toEqual(new Set([CONTACTS]));
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(Array.from({ length: STEPS_A_ROUND }, () => STEPS[one(Object.keys(STEPS))]!()));
      expect(keptRows()).toEqual(keptRows().map(recounted) as Row[]);
    }
    // Kept all the time, not counted again; and they did change.
    expect(keptRows().map(({ number }) => number)).toEqual(kept.map(({ number }) => number));
    expect(keptRows()).not.toEqual(kept);
  });

  test("every route and filter shows them", async () => {
    for (const set of setPaths())
      for (const term of TERMS)
        for (const status of ["", ...CONTACT_STATUSES]) {
          const path = `${set}q=${encodeURIComponent(term)}&status=${status}&limit=100`;
          expect([path, await totalOf(path)]).toEqual([path, (await walk(path)).length]);
        }
  });

  test("when a command beside the server imports contacts", async () => {
    await searchAll();
    const before = keptRows();
    const ada = () => Promise.all(setPaths().map((path) => totalOf(`${path}q=ada`)));
    const totals = await ada();
    const lines = Array.from({ length: 300 }, (_, n) => `ada-imported-${n}@example.com,Grace,vip`);
    writeFileSync(`${api.dataDir}/people.csv`, `email,firstName,tags\n${lines.join("\n")}\n`);
    const args = [
      "import",
      "contacts",
      `${api.dataDir}/people.csv`,
      "--status",
      "SUBSCRIBED",
      "--list",
      list,
    ];
    expect((await postrider(api.dataDir, args)).code).toBe(0);
    expect(keptRows()).toEqual(keptRows().map(recounted) as Row[]);
    expect(await ada()).toEqual(totals.map((total) => total + 300));
    // Counted beside what was kept, which stays as it was.
    expect(keptRows()).toEqual(before);
  });

  test("when so many have come that it goes on to them", async () => {
    await searchAll();
    const before = keptRows();
    manyCome();
    expect(keptRows()).toEqual(before);
    const { subscribed, through } = before.find(({ list: of, tag, term }) => !of && !tag && term === "ada")!;
    await totalOf("/contacts?q=ada");
    const after = keptRows().find(({ list: of, tag, term }) => !of && !tag && term === "ada")!;
    expect(after).toEqual(recounted(after) as Row);
    expect(after["subscribed"]! - subscribed!).toBeGreaterThanOrEqual(CAME);
    expect(after.through - through).toBeGreaterThanOrEqual(CAME);
    expect(await totalOf("/contacts?q=ada-came")).toBe(CAME);
    theyGo();
    expect(keptRows()).toEqual(keptRows().map(recounted) as Row[]);
  });

  test("and goes with its list", async () => {
    const gone = (await api.call("POST", "/lists", { name: "Short-lived" })).body.data.id;
    await api.call("POST", `/lists/${gone}/contacts`, { contactIds: await everyId() });
    await totalOf(`/lists/${gone}/contacts?q=a`);
    const [row] = keptRows().slice(-1);
    expect(row).toMatchObject({ term: "a", tag: "" });
    await api.call("DELETE", `/lists/${gone}`);
    expect(keptRows().filter((each) => each.list === row!.list)).toEqual([]);
    expect(keptRows()).toEqual(keptRows().map(recounted) as Row[]);
  });
});

/** Every item of a list route, page by page. */
async function walk(path: string): Promise<any[]> {
  const items: any[] = [];
  for (let after = ""; ;) {
    const { body } = await api.call("GET", `${path}&after=${encodeURIComponent(after)}`);
    items.push(...body.data);
    if (body.pagination.nextCursor === null) return items;
    after = body.pagination.nextCursor;
  }
}

const everyId = async (): Promise<string[]> =>
  (await walk("/contacts?limit=100")).map((contact) => contact.id as string);

/** Counts all contacts with the letter a, a hundred at a time. `slices` is how often. */
function inSlices(): CountSource & { slices: number } {
  const { sqlite } = api.services.database;
  const count = sqlite.query<Record<(typeof CONTACT_STATUSES)[number], number>, [number, number]>(
    `SELECT ${CONTACT_STATUSES.map((status) => `coalesce(sum(status = '${status}'), 0) AS ${status}`).join(", ")}
     FROM contacts WHERE workspace = 1 AND instr(search, 'a') > 0 AND seq > ? AND seq <= ?`,
  );
  return {
    slices: 0,
    sliceEnd: (after) => (after > CONTACTS ? null : after + 100),
    count(after, through) {
      this.slices++;
      return count.get(after, through)!;
    },
  };
}

const WHOLE = { workspace: 1, list: 0, tag: "" };
const forget = () => api.services.database.sqlite.exec("DELETE FROM search_counts");
const sum = (counts: object): number => Object.values(counts).reduce((all, n) => all + n, 0);

describe("while it is being counted", () => {
  test("people who are written are counted once, on either side of the slice", async () => {
    forget();
    const source = inSlices();
    const counting = searchCounts(api.services.database).count(WHOLE, "a", source);
    const state = { isDone: false };
    void counting.then(() => (state.isDone = true));
    let steps = 0;
    while (!state.isDone) {
      await STEPS[one(Object.keys(STEPS))]!();
      const [row] = keptRows();
      expect(row).toEqual(recounted(row!) as Row);
      steps++;
    }
    await counting;
    expect(steps).toBeGreaterThan(3);
    expect(source.slices).toBeGreaterThan(CONTACTS / 100);
    expect(keptRows()).toEqual(keptRows().map(recounted) as Row[]);
  });

  test("everybody who asks for it waits for the same count", async () => {
    forget();
    const source = inSlices();
    const counts = searchCounts(api.services.database);
    const answers = await Promise.all(Array.from({ length: 20 }, () => counts.count(WHOLE, "a", source)));
    expect(new Set(answers.map(sum)).size).toBe(1);
    expect(source.slices).toBe(CONTACTS / 100 + 2);
    expect(counts.find(WHOLE, "a", () => expect.unreachable())).toMatchObject(answers[0]!);
  });

  test("workspaces take turns", async () => {
    await api.services.workspaces.create("Another");
    const counts = searchCounts(api.services.database);
    const order: string[] = [];
    const ask = async (workspace: number, term: string) => {
      await counts.count({ ...WHOLE, workspace }, term, inSlices());
      order.push(`${workspace} ${term}`);
    };
    await Promise.all([ask(1, "a"), ask(1, "b"), ask(1, "c"), ask(2, "d")]);
    expect(order).toEqual(["1 a", "2 d", "1 b", "1 c"]);
  });

  test("what a killed server has counted is gone on from", async () => {
    forget();
    const half = CONTACTS / 2;
    const counted = inSlices().count(0, half);
    query(
      "INSERT INTO search_counts VALUES (1, 0, '', 'a', 1, ?, ?, ?, ?, ?)",
      half,
      counted.PENDING,
      counted.SUBSCRIBED,
      counted.UNSUBSCRIBED,
      counted.BOUNCED,
    );
    const counts = searchCounts(api.services.database);
    manyCome();
    expect(counts.find(WHOLE, "a", () => expect.unreachable())).toBeNull();
    for (let step = 0; step < 20; step++) await STEPS[one(Object.keys(STEPS))]!();
    const source = inSlices();
    await counts.count(WHOLE, "a", source);
    expect(source.slices).toBeLessThan(half / 100 + 4);
    expect(keptRows()).toEqual(keptRows().map(recounted) as Row[]);
    theyGo();
  });

  test("nothing can be written: the total is right all the same, and not kept", async () => {
    forget();
    const { sqlite } = api.services.database;
    const total = (await walk("/contacts?q=a&limit=100")).length;
    forget();
    sqlite.exec("PRAGMA query_only = ON");
    try {
      expect(await totalOf("/contacts?q=a")).toBe(total);
      // Others get their turn between the slices: all at once would hold the event loop.
      const source = inSlices();
      const counted = await searchCounts(api.services.database).count(WHOLE, "a", source);
      expect([sum(counted), source.slices]).toEqual([total, CONTACTS / 100 + 2]);
    } finally {
      sqlite.exec("PRAGMA query_only = OFF");
    }
    expect(keptRows()).toEqual([]);
  });

  test("no more than two dozen are kept, the latest", async () => {
    forget();
    const counts = searchCounts(api.services.database);
    for (let n = 0; n < 30; n++)
      await counts.count(WHOLE, `term ${n}`, {
        sliceEnd: () => null,
        count: inSlices().count.bind(inSlices()),
      });
    expect(keptRows().map(({ term }) => term)).toEqual(Array.from({ length: 24 }, (_, n) => `term ${n + 6}`));
  });
});
