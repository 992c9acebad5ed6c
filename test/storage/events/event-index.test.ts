import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { openServices, type SqliteServices } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { parseEvent } from "#events/event-input.ts";
import { eventIndex } from "#storage/sqlite/events/event-index.ts";
import { followIndexes } from "#storage/sqlite/upkeep/index-follower.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { dice } from "../../support/common/dice.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";

const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
const NAMES = ["signup", "order_placed", "order_paid"];
const ADDRESSES = Array.from({ length: 7 }, (_, i) => `reader-${i}@example.com`);

let home: ReturnType<typeof temporaryDirectory>;
let services: SqliteServices;
let workspaces: string[];

beforeEach(async () => {
  home = temporaryDirectory();
  services = openServices(home.path, world);
  workspaces = [];
  for (const name of ["One", "Two"]) workspaces.push((await services.workspaces.create(name)).id);
});

afterEach(async () => {
  await services.close();
  home.remove();
});

const openAnew = async (): Promise<void> => {
  await services.close();
  services = openServices(home.path, world);
};

const record = async (workspace: string, email: string, name: string, valueCents: number) =>
  (await services.events.record(workspace, unwrap(parseEvent({ name, email, valueCents })))).event.id;

const idOf = async (workspace: string, q: string): Promise<string | undefined> =>
  (await services.contacts.page(workspace, { status: null, tag: null, q }, { limit: 1, before: null }))
    .items[0]?.id;

type Filter = { name: string | null; contactId: string | null };

/** All pages of a filter, three events at a time. */
async function walked(workspace: string, filter: Filter): Promise<{ ids: string[]; total: number }> {
  const ids: string[] = [];
  for (let before: number | null = null; ;) {
    const page = await services.events.page(workspace, filter, { limit: 3, before });
    ids.push(...page.items.map(({ id }) => id));
    if (page.nextPosition === null) return { ids, total: page.total };
    before = page.nextPosition;
  }
}

const NEEDED = {
  suppression: false,
  listIds: [],
  score: false,
  eventNames: NAMES,
  mailNodeIds: [],
  attributeHolders: false,
};
const STRANGER = {
  id: "",
  email: "",
  firstName: "",
  lastName: "",
  tags: [],
  status: "PENDING" as const,
  attributes: {},
  createdAt: 0,
};

type Told = { id: string; workspace: string; email: string; name: string; cents: number };

/** Everything that can be asked about events says what a plain list of them says. */
async function checkAgainst(told: readonly Told[]): Promise<void> {
  for (const workspace of workspaces) {
    const mine = told.filter((event) => event.workspace === workspace).toReversed();
    const idsOf = (events: readonly Told[]) => ({ ids: events.map(({ id }) => id), total: events.length });
    expect(await walked(workspace, { name: null, contactId: null })).toEqual(idsOf(mine));
    for (const name of NAMES)
      expect(await walked(workspace, { name, contactId: null })).toEqual(
        idsOf(mine.filter((event) => event.name === name)),
      );
    for (const email of ADDRESSES) {
      const contactId = await idOf(workspace, email);
      if (contactId === undefined) continue;
      const own = mine.filter((event) => event.email === email);
      expect(await walked(workspace, { name: null, contactId })).toEqual(idsOf(own));
      const orders = own.filter(({ name }) => name === "order_placed");
      expect(await walked(workspace, { name: "order_placed", contactId })).toEqual(idsOf(orders));
      const points = own.filter(
        ({ name, cents }) => name === "signup" || (name === "order_paid" && cents >= 50),
      );
      expect(await services.scoring.score(workspace, contactId)).toBe(points.length);
      const { facts } = await services.stores.runs.walkFacts(workspace, "", email, NEEDED, STRANGER);
      expect(new Set(facts.lastEventAt.keys())).toEqual(new Set(own.map(({ name }) => name)));
    }
  }
}

describe("events are found the same, wherever the index stands", () => {
  test.each([1, 2, 3, 4])("recorded, indexed, deleted, opened anew in any order (seed %d)", async (seed) => {
    const { roll } = dice(seed);
    let told: Told[] = [];
    for (const workspace of workspaces) {
      await services.scoring.add(workspace, { event: "signup", minValueCents: null, points: 1 });
      await services.scoring.add(workspace, { event: "order_paid", minValueCents: 50, points: 1 });
    }
    for (let move = 0; move < 40; move++) {
      const workspace = workspaces[roll(2)]!;
      const kind = roll(10);
      if (kind < 6) {
        const event = { workspace, email: ADDRESSES[roll(7)]!, name: NAMES[roll(3)]!, cents: roll(100) };
        const id = await record(workspace, event.email, event.name, event.cents);
        told.push({ ...event, id });
      } else if (kind < 8) await eventIndex(services.database).catchUp();
      else if (kind < 9) {
        const email = ADDRESSES[roll(7)]!;
        const contactId = await idOf(workspace, email);
        if (contactId === undefined) continue;
        await services.contacts.delete(workspace, contactId);
        told = told.filter((event) => event.workspace !== workspace || event.email !== email);
      } else await openAnew();
      if (move % 8 === 7) await checkAgainst(told);
    }
    await checkAgainst(told);
  });

  test("an index that was being written when the process died counts for nothing, and is written again", async () => {
    const [workspace] = workspaces as [string];
    const told: Told[] = [];
    for (let i = 0; i < 12; i++) {
      const event = { workspace, email: ADDRESSES[i % 3]!, name: NAMES[i % 2]!, cents: i };
      told.push({ ...event, id: await record(workspace, event.email, event.name, event.cents) });
    }
    for (const rule of [
      { event: "signup", minValueCents: null, points: 1 },
      { event: "order_paid", minValueCents: 50, points: 1 },
    ])
      await services.scoring.add(workspace, rule);
    const { sqlite } = services.database;
    await eventIndex(services.database).catchUp();
    // As a death before the last write leaves it: all of it there, and half of it.
    sqlite.run("UPDATE event_index SET through = 4");
    await openAnew();
    await checkAgainst(told);
    services.database.sqlite.run("DELETE FROM contact_events WHERE seq % 2 = 0 AND seq > 4");
    services.database.sqlite.run("DELETE FROM named_events WHERE seq > 8");
    await openAnew();
    await checkAgainst(told);
    await services.contacts.delete(workspace, (await idOf(workspace, ADDRESSES[1]!))!);
    const left = told.filter(({ email }) => email !== ADDRESSES[1]);
    await checkAgainst(left);
    await eventIndex(services.database).catchUp();
    await checkAgainst(left);
    const counted = (table: string) =>
      services.database.sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
    expect(["events", "workspace_events", "named_events", "contact_events"].map(counted)).toEqual([
      8, 8, 8, 8,
    ]);
  });

  test("thousands, most of them one contact's: found all the time while they are indexed slice by slice", async () => {
    const [workspace] = workspaces as [string];
    for (const email of ADDRESSES.slice(0, 3)) await record(workspace, email, "signup", 1);
    const { sqlite, recentEvents } = services.database;
    sqlite.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
       INSERT INTO events (id, workspace, name, contact, properties, created_at)
       SELECT 'ev_' || i, 1, iif(i % 2, 'order_paid', 'signup'), (SELECT min(seq) FROM contacts) + (i % 10 = 0) + (i % 100 = 0), '{}', i FROM n`,
    );
    sqlite.run("UPDATE record_counts SET n = 4003 WHERE kind = 'event' AND status = '' AND workspace = 1");
    const ids = await Promise.all(
      ADDRESSES.slice(0, 3).map(async (email) => (await idOf(workspace, email))!),
    );
    const totals = async (): Promise<number[]> => {
      const all: number[] = [];
      for (const contactId of ids)
        for (const name of [null, "signup"]) {
          const page = await services.events.page(workspace, { name, contactId }, { limit: 2, before: null });
          all.push(page.total);
        }
      return all;
    };
    const expected = [3601, 1601, 361, 361, 41, 41];
    expect(await totals()).toEqual(expected);
    const seenThrough = new Set<number>();
    const indexed = eventIndex(services.database).catchUp();
    let looks = 0;
    while (Bun.peek.status(indexed) === "pending") {
      expect(await totals()).toEqual(expected);
      seenThrough.add(recentEvents.through);
      looks++;
      await nextLoopTurn();
    }
    await indexed;
    expect(looks).toBeGreaterThan(10);
    expect([...seenThrough]).toContain(0);
    expect([await totals(), recentEvents.size, recentEvents.through]).toEqual([expected, 0, 4003]);
    expect(
      ["workspace_events", "named_events", "contact_events"].map(
        (table) => sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n,
      ),
    ).toEqual([4003, 4003, 4003]);
  });

  test("inside a transaction that is undone nothing is remembered that was not kept", async () => {
    const [workspace] = workspaces as [string];
    await record(workspace, ADDRESSES[0]!, "signup", 1);
    const { sqlite, writes, recentEvents } = services.database;
    const contact = sqlite.query<{ seq: number }, []>("SELECT seq FROM contacts").get()!.seq;
    const undone = writes.write(() => {
      sqlite.run(
        `INSERT INTO events (id, workspace, name, contact, properties, created_at) VALUES ('ev_undone', 1, 'signup', ${contact}, '{}', 0)`,
      );
      expect(JSON.parse(recentEvents.of(contact))).toHaveLength(2);
      throw new Error("undone");
    });
    expect((await Promise.allSettled([undone]))[0]).toMatchObject({ reason: new Error("undone") });
    const other = await record(workspace, ADDRESSES[1]!, "signup", 1);
    const contactId = (await idOf(workspace, ADDRESSES[0]!))!;
    expect((await walked(workspace, { name: null, contactId })).total).toBe(1);
    const otherId = (await idOf(workspace, ADDRESSES[1]!))!;
    expect(await walked(workspace, { name: null, contactId: otherId })).toEqual({ ids: [other], total: 1 });
  });
});

test("a server's index follows when nobody records anything, and lets go of what it remembered", async () => {
  const clock = manualClock();
  const [workspace] = workspaces as [string];
  const indexing = followIndexes([eventIndex(services.database)], {
    clock,
    log: SILENT_LOG,
    hasChanged: () => true,
  });
  for (let i = 0; i < 5; i++) await record(workspace, ADDRESSES[0]!, "signup", i);
  const { recentEvents } = services.database;
  clock.advance(200);
  expect([recentEvents.size, recentEvents.through]).toEqual([5, 0]);
  clock.advance(200);
  await indexing.stop();
  expect([recentEvents.size, recentEvents.through]).toEqual([0, 5]);
});
