import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { listOf, person } from "../../support/people/people.ts";

let api: TestApi;
/** Stands still, and can be set back. */
let now = Date.UTC(2026, 4, 1);
let bigList: string;
const emails: string[] = [];

/** Makes 45 people, and returns their ids. */
async function fill(): Promise<string[]> {
  const ids: string[] = [];
  emails.length = 0;
  for (let i = 0; i < 45; i++) {
    // The same millisecond for all, and the clock steps back an hour half-way.
    if (i === 22) now -= 3_600_000;
    const status = i % 3 === 0 ? "PENDING" : "SUBSCRIBED";
    const made = await person(api, `p${i}@example.com`, { status, tags: i % 2 ? ["odd"] : ["even"] });
    ids.push(made.id);
    emails.unshift(made.email);
  }
  return ids;
}

beforeAll(async () => {
  api = await startApi({ clock: { ...systemClock, now: () => now } });
  const ids = await fill();
  bigList = await listOf(api, "All", ids);
  for (let i = 0; i < 44; i++) await listOf(api, `List ${i}`);
});
afterAll(() => api.stop());

const get = (path: string, query: Record<string, string | number> = {}) =>
  api.call("GET", `${path}?${new URLSearchParams(query as Record<string, string>).toString()}`);

/** Follows `nextCursor` to the end; `between` runs after each page. */
async function walk(
  path: string,
  query: Record<string, string | number>,
  between = async () => {},
): Promise<any[]> {
  const items: any[] = [];
  for (let after = ""; ;) {
    const { data, pagination } = (await get(path, { ...query, after })).body;
    items.push(...data);
    expect(pagination.hasMore).toBe(pagination.nextCursor !== null);
    if (pagination.nextCursor === null) return items;
    expect(data).toHaveLength(pagination.limit);
    after = pagination.nextCursor;
    await between();
  }
}

describe("limit", () => {
  const LIMITS: Record<string, number> = {
    "": 20,
    abc: 20,
    "1e2": 20,
    "0x10": 20,
    "10,5": 20,
    NaN: 20,
    "1 2": 20,
    "1": 1,
    "7": 7,
    "+7": 7,
    "7.9": 7,
    " 7 ": 7,
    "100": 100,
    "101": 100,
    "1000000": 100,
    "0": 1,
    "-5": 1,
    "0.5": 1,
    "99999999999999999999": 100,
  };
  for (const [limit, used] of Object.entries(LIMITS)) {
    test(`"${limit}" means ${used}`, async () => {
      for (const path of ["/contacts", "/lists", `/lists/${bigList}/contacts`]) {
        const { data, pagination } = (await get(path, { limit })).body;
        expect(pagination).toMatchObject({ limit: used, total: 45, hasMore: used < 45 });
        expect(data).toHaveLength(Math.min(used, 45));
      }
    });
  }

  test("left out it is 20", async () => {
    expect((await get("/contacts")).body.pagination.limit).toBe(20);
  });
});

describe("a walk shows each item once, newest first by creation, whatever the clock did", () => {
  for (const limit of [1, 7, 20, 45, 100]) {
    test(`limit ${limit}`, async () => {
      expect((await walk("/contacts", { limit })).map(({ email }) => email)).toEqual(emails);
      expect((await walk(`/lists/${bigList}/contacts`, { limit })).map(({ email }) => email)).toEqual(emails);
      const lists = (await walk("/lists", { limit })).map(({ name }) => name);
      expect(lists).toEqual([...Array.from({ length: 44 }, (_, i) => `List ${43 - i}`), "All"]);
    });
  }

  test("with filters, page by page", async () => {
    const pending = emails.filter((email) => Number(/\d+/.exec(email)![0]) % 3 === 0);
    const odd = emails.filter((email) => Number(/\d+/.exec(email)![0]) % 2 === 1);
    expect((await walk("/contacts", { limit: 4, status: "PENDING" })).map(({ email }) => email)).toEqual(
      pending,
    );
    expect((await walk("/contacts", { limit: 4, tag: "odd" })).map(({ email }) => email)).toEqual(odd);
    expect(
      (await walk("/contacts", { limit: 4, tag: "odd", status: "PENDING", q: "P" })).map(
        ({ email }) => email,
      ),
    ).toEqual(odd.filter((email) => pending.includes(email)));
    expect(await walk("/lists", { limit: 3, q: "list 1" })).toHaveLength(11);
  });

  test("an empty list is one page without a cursor", async () => {
    const { data, pagination } = (await get("/contacts", { q: "nobody at all" })).body;
    expect([data, pagination]).toEqual([[], { total: 0, limit: 20, hasMore: false, nextCursor: null }]);
  });
});

/** For tests that change what the others count: each of a group gets a workspace and people of its own. */
function withOwnPeople(): void {
  let shared: { api: TestApi; bigList: string };
  beforeEach(async () => {
    shared = { api, bigList };
    api = await inNewWorkspace(api);
    bigList = await listOf(api, "All", await fill());
  });
  afterEach(() => void ({ api, bigList } = shared));
}

describe("while rows come and go", () => {
  withOwnPeople();

  test("a walk repeats nobody and skips nobody who was there throughout", async () => {
    const stayed = new Set(emails);
    const seen: any[] = [];
    let step = 0;
    const churn = async () => {
      step++;
      await person(api, `new${step}@example.com`);
      const gone = `p${step * 4}@example.com`;
      const [victim] = (await get("/contacts", { q: gone })).body.data.filter(
        (each: any) => each.email === gone,
      );
      if (victim) {
        await api.call("DELETE", `/contacts/${victim.id}`);
        stayed.delete(gone);
      }
      const moved = `p${44 - step}@example.com`;
      const [mover] = (await get("/contacts", { q: moved })).body.data;
      if (mover) await api.call("PATCH", `/contacts/${mover.id}`, { status: "SUBSCRIBED" });
    };
    seen.push(...(await walk("/contacts", { limit: 5 }, churn)).map(({ email }) => email));
    expect(new Set(seen).size).toBe(seen.length);
    expect([...stayed].filter((email) => !seen.includes(email))).toEqual([]);
    expect(step).toBeGreaterThan(5);
  });

  test("a cursor stays good when its row is deleted", async () => {
    const first = (await get("/contacts", { limit: 2 })).body;
    const rest = (await get("/contacts", { limit: 3, after: first.pagination.nextCursor })).body.data;
    await api.call("DELETE", `/contacts/${first.data[1].id}`);
    const again = await get("/contacts", { limit: 3, after: first.pagination.nextCursor });
    expect(again.body.data).toEqual(rest);
  });
});

describe("a cursor that was not made for this list is 422", () => {
  withOwnPeople();
  let cursor: string;
  beforeEach(async () => {
    cursor = (await get("/contacts", { limit: 1 })).body.pagination.nextCursor;
  });

  test("on another route, another list, in another workspace", async () => {
    const listCursor = (await get(`/lists/${bigList}/contacts`, { limit: 1 })).body.pagination.nextCursor;
    const other = await listOf(api, "Other");
    for (const [path, after] of [
      ["/lists", cursor],
      [`/lists/${bigList}/contacts`, cursor],
      [`/lists/${other}/contacts`, listCursor],
      ["/contacts", listCursor],
    ] as const) {
      expect((await get(path, { after })).body.error?.code).toBe("VALIDATION_ERROR");
    }
    const { key } = await api.services.workspaces.create("Another");
    expect((await api.call("GET", `/contacts?after=${cursor}`, undefined, key)).status).toBe(422);
  });

  test("edited or invented, never a 500", async () => {
    const edits = [...cursor].map(
      (char, i) => cursor.slice(0, i) + (char === "A" ? "B" : "A") + cursor.slice(i + 1),
    );
    const invented = [
      "0",
      "-1",
      "null",
      "%00",
      "é",
      `${cursor}=`,
      cursor.slice(1),
      cursor + cursor,
      "A".repeat(4000),
    ];
    for (const after of [...edits, ...invented]) {
      expect((await get("/contacts", { after })).status).toBe(422);
    }
  });

  test("an empty one is none", async () => {
    expect((await get("/contacts", { after: "" })).body).toEqual((await get("/contacts")).body);
  });
});
