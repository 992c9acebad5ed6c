/**
 * Somebody on very many lists opts out: in slices of one transaction, between which others get their turn.
 */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { Database } from "bun:sqlite";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import { BY_COMPLAINT } from "#contacts/consent/consent-entry.ts";
import { optOutWrite } from "#storage/sqlite/consent/opt-out.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree, person } from "../../support/people/people.ts";

const MANY = 2_600;
/** How many lists may be left in one slice. */
const SLICE = 500;

let api: TestApi;
let sqlite: Database;
beforeAll(async () => {
  api = await startApi();
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

const WAYS = {
  "a request": ({ id }) => api.call("PATCH", `/contacts/${id}`, { status: "UNSUBSCRIBED" }),
  "their own click": ({ id, email }) =>
    api.services.contacts.optOut({
      workspaceId: api.workspaceId,
      address: email,
      contactId: id,
      origin: BY_COMPLAINT,
    }),
} satisfies Record<string, (who: { id: string; email: string }) => Promise<unknown>>;

for (const [way, optOut] of Object.entries(WAYS)) {
  test(`an opt-out by ${way} of somebody on very many lists leaves them in slices`, async () => {
    const who = await onMany(way.replaceAll(" ", "-"));
    const left = await slicesOf(who.id, () => optOut(who));
    expect(left.reduce((sum, n) => sum + n, 0)).toBe(MANY);
    expect(Math.max(...left)).toBeLessThanOrEqual(SLICE);
    // All of it is there when it is answered.
    expect(await statusOf(who.id)).toBe("UNSUBSCRIBED");
    expect(onLists(sqlite, who.id)).toBe(0);
    expect(derivedTablesAgree(api)).toBe(true);
  });

  test(`an opt-out by ${way} of somebody on few lists is a short write as any other`, async () => {
    const who = await onMany(`few-${way.replaceAll(" ", "-")}`, 3);
    expect(await slicesOf(who.id, () => optOut(who))).toEqual([]);
    expect(await statusOf(who.id)).toBe("UNSUBSCRIBED");
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
