/**
 * Somebody on very many lists leaves: in slices of one transaction, between which others get their turn.
 */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { Database } from "bun:sqlite";
import { sqliteStores } from "#app/sqlite-stores.ts";
import type { NewContact } from "#contacts/contact-input.ts";
import { planPost } from "#contacts/contact-plan.ts";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import { BY_COMPLAINT } from "#contacts/consent/consent-entry.ts";
import { optOutWrite } from "#storage/sqlite/consent/opt-out.ts";
import { imported } from "../../support/people/imports.ts";
import { derivedTablesAgree, person } from "../../support/people/people.ts";
import { makeCampaign, send, startSending, type SendingApi } from "../../support/sending/sending.ts";

const MANY = 2_600;
/** How many lists may be left in one slice. */
const SLICE = 500;

let api: SendingApi;
let sqlite: Database;
beforeAll(async () => {
  api = await startSending({ RCPT: "550 5.1.1 No such user" });
  ({ sqlite } = api.services.database);
  sqlite.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
     INSERT INTO lists (id, workspace, name, search, created_at) SELECT 'list_' || i, 1, i, i, 1 FROM n`,
  );
});
afterAll(() => api.stop());

const onLists = (of: Database, id: string): number =>
  of
    .query<{ n: number }, [string]>(
      "SELECT count(*) AS n FROM list_members AS m JOIN contacts AS c ON c.seq = m.contact WHERE c.id = ?",
    )
    .get(id)!.n;

/** A person on so many lists. */
async function onMany(name: string, lists = MANY): Promise<{ id: string; email: string }> {
  const email = `${name}@example.com`;
  const { id } = await person(api, email);
  sqlite.run(
    `INSERT INTO list_members (list, status, contact, added_at)
     SELECT l.seq, c.status, c.seq, 1 FROM lists AS l CROSS JOIN contacts AS c WHERE c.id = ? ORDER BY l.seq LIMIT ?`,
    [id, lists],
  );
  return { id, email };
}

const statusOf = async (id: string): Promise<string> =>
  (await api.call("GET", `/contacts/${id}`)).body.data.status;

/** Runs `work`, and returns how many lists were left between two turns of the event loop, in each slice. */
async function slicesOf(id: string, work: () => Promise<unknown>): Promise<number[]> {
  const { longWrites } = api.services.database;
  const real = longWrites.write.bind(longWrites);
  const left: number[] = [];
  const spy = spyOn(longWrites, "write").mockImplementation((slices) =>
    real(function* (connection) {
      const steps = slices(connection);
      for (;;) {
        const before = onLists(connection, id);
        const step = steps.next();
        left.push(before - onLists(connection, id));
        if (step.done === true) return step.value;
        yield;
      }
    }),
  );
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return left;
}

const listId = (n: number): string => `list_${n}`;

/** How somebody leaves, and as what. */
const WAYS = {
  "a request": ({ id }) => api.call("PATCH", `/contacts/${id}`, { status: "UNSUBSCRIBED" }),
  "an upsert": ({ email }) => api.call("POST", "/contacts", { email, status: "UNSUBSCRIBED" }),
  "many upserts at once": ({ email }) =>
    api.call("POST", "/contacts/bulk", {
      contacts: [
        { email: "before@example.com", firstName: "First" },
        { email, status: "UNSUBSCRIBED" },
        { email: "before@example.com", firstName: "Last" },
      ],
    }),
  "an import": ({ email }) => imported(api, `email,status\nbefore@example.com,\n${email},unsubscribed\n`),
  "their own click": ({ id, email }) =>
    api.services.contacts.optOut({
      workspaceId: api.workspaceId,
      address: email,
      contactId: id,
      origin: BY_COMPLAINT,
    }),
  "a hard bounce": async () => send(api, await makeCampaign(api, listId(1))),
} satisfies Record<string, (who: { id: string; email: string }) => Promise<unknown>>;

const leftAs = (way: string): string => (way === "a hard bounce" ? "BOUNCED" : "UNSUBSCRIBED");

for (const [way, optOut] of Object.entries(WAYS)) {
  test(`${way} takes somebody off very many lists in slices`, async () => {
    const who = await onMany(way.replaceAll(" ", "-"));
    const left = await slicesOf(who.id, () => optOut(who));
    expect(left.reduce((sum, n) => sum + n, 0)).toBe(MANY);
    expect(Math.max(...left)).toBeLessThanOrEqual(SLICE);
    // All of it is there when it is answered.
    expect(await statusOf(who.id)).toBe(leftAs(way));
    expect(onLists(sqlite, who.id)).toBe(0);
    expect(derivedTablesAgree(api)).toBe(true);
  });

  test(`${way} of somebody on few lists is a short write as any other`, async () => {
    const who = await onMany(`few-${way.replaceAll(" ", "-")}`, 3);
    expect(await slicesOf(who.id, () => optOut(who))).toEqual([]);
    expect(await statusOf(who.id)).toBe(leftAs(way));
    expect(onLists(sqlite, who.id)).toBe(0);
  });
}

test("an opt-out that is cut off between two slices leaves nothing half done", async () => {
  const { id, email } = await onMany("cut");
  const { longWrites } = api.services.database;
  const cut = longWrites.write(function* (connection) {
    const mailed = { address: email, contactId: id, origin: BY_COMPLAINT, at: 1 };
    const steps = optOutWrite(connection)(1, mailed, decideOnOptOut);
    for (let n = 0; n < 2; n++) {
      steps.next();
      yield;
    }
    expect(onLists(connection, id)).toBeLessThan(MANY);
    throw new Error("killed");
  });
  expect(cut).rejects.toThrow("killed");
  await cut.catch(() => undefined);
  expect(onLists(sqlite, id)).toBe(MANY);
  expect(await statusOf(id)).toBe("SUBSCRIBED");
});

test("a request that leaves no list is a short write, also for somebody on very many", async () => {
  const who = await onMany("stays");
  expect(
    await slicesOf(who.id, () => api.call("PATCH", `/contacts/${who.id}`, { firstName: "Ada" })),
  ).toEqual([]);
  expect(onLists(sqlite, who.id)).toBe(MANY);
});

test("people who leave many lists together leave them in slices", async () => {
  const people = await Promise.all(Array.from({ length: 5 }, (_, i) => onMany(`together-${i}`, 300)));
  const contacts = people.map(({ email }) => ({ email, status: "UNSUBSCRIBED" }));
  const left = await slicesOf(people[4]!.id, () => api.call("POST", "/contacts/bulk", { contacts }));
  expect(left.length).toBeGreaterThan(5);
  for (const { id } of people) expect([await statusOf(id), onLists(sqlite, id)]).toEqual(["UNSUBSCRIBED", 0]);
});

test("people on few lists each share slices: while one yields, every other write waits for it", async () => {
  const people = await Promise.all(Array.from({ length: 100 }, (_, i) => onMany(`share-${i}`, 12)));
  const contacts = people.map(({ email }) => ({ email, status: "UNSUBSCRIBED" }));
  const left = await slicesOf(people[0]!.id, () => api.call("POST", "/contacts/bulk", { contacts }));
  expect(left.length).toBeGreaterThan(1);
  expect(left.length).toBeLessThan(20);
  expect(people.reduce((sum, { id }) => sum + onLists(sqlite, id), 0)).toBe(0);
});

/** Does only so many slices of the next long write. */
function cutNext(slices: number): () => void {
  const { longWrites } = api.services.database;
  const real = longWrites.write.bind(longWrites);
  const spy = spyOn(longWrites, "write").mockImplementationOnce((all) =>
    real(function* (connection) {
      const steps = all(connection);
      for (let n = 0; n < slices; n++) {
        expect(steps.next().done).toBe(false);
        yield;
      }
      throw new Error("killed");
    }),
  );
  return () => spy.mockRestore();
}

const CUT = {
  "an upsert": WAYS["an upsert"],
  "many upserts at once": WAYS["many upserts at once"],
  "a request": WAYS["a request"],
} satisfies Partial<typeof WAYS>;

for (const [way, leave] of Object.entries(CUT))
  test(`${way} that is cut off between two slices leaves nothing half done, and works again`, async () => {
    const who = await onMany(`cut-${way.replaceAll(" ", "-")}`);
    const restore = cutNext(3);
    const answer = await leave(who).catch((error: unknown) => error);
    restore();
    expect(JSON.stringify(answer)).not.toContain("UNSUBSCRIBED");
    expect([await statusOf(who.id), onLists(sqlite, who.id)]).toEqual(["SUBSCRIBED", MANY]);
    await leave(who);
    expect([await statusOf(who.id), onLists(sqlite, who.id)]).toEqual(["UNSUBSCRIBED", 0]);
    expect(derivedTablesAgree(api)).toBe(true);
  });

test("who comes behind somebody who leaves very many lists is written after them", async () => {
  const { email, id } = await onMany("in-front");
  const at = Date.now();
  const personOf = (input: Partial<NewContact> & { email: string }) => ({
    firstName: undefined,
    lastName: undefined,
    tags: [],
    status: undefined,
    consent: undefined,
    attributes: undefined,
    setsAttributes: false,
    fresh: { id: `ct_${input.email}`, createdAt: at },
    ...input,
  });
  const slices = [
    [
      personOf({ email, status: "UNSUBSCRIBED" }),
      personOf({ email: "twice@example.com", firstName: "First" }),
    ],
    [personOf({ email: "twice@example.com", firstName: "Last" })],
  ];
  const { contacts } = sqliteStores(api.services.database);
  const written = await contacts.upsertAll(api.workspaceId, slices, null, (input, found) =>
    planPost(found, input, BY_COMPLAINT, at),
  );
  expect(written.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect([await statusOf(id), onLists(sqlite, id)]).toEqual(["UNSUBSCRIBED", 0]);
  const [twice] = (await api.call("GET", "/contacts?q=twice@example.com")).body.data;
  expect(twice.firstName).toBe("Last");
});
