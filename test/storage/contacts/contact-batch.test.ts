import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { NewContact } from "#contacts/contact-input.ts";
import { unwrap } from "#core/errors/errors.ts";
import { searchIndex } from "#storage/sqlite/search/search-index.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree, listOf, person, suppressions } from "../../support/people/people.ts";

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

const row = (email: string, fields: Partial<NewContact> = {}): NewContact => ({
  email,
  firstName: undefined,
  lastName: undefined,
  tags: [],
  status: "SUBSCRIBED",
  consent: undefined,
  attributes: undefined,
  ...fields,
});

const origin = { source: "admin", formId: null, clientAddress: null, userAgent: null } as const;

const results = (rows: readonly NewContact[], listId?: string, startsAutomations = false) =>
  api.services.bulkContacts.upsertAll(api.workspaceId, rows, { listId, startsAutomations, origin });
const importing = async (...asked: Parameters<typeof results>) => (await results(...asked)).map(unwrap);

const get = async (path: string): Promise<any[]> => (await api.call("GET", path)).body.data;
const emails = async (path: string): Promise<string[]> => (await get(path)).map(({ email }) => email);
const changes = (): number =>
  api.services.database.sqlite.query<{ n: number }, []>("SELECT total_changes() AS n").get()!.n;

describe("people who are written together", () => {
  test("become contacts in the order of the file, are found, counted and on the list", async () => {
    const list = await listOf(api, "Newsletter");
    const rows = Array.from({ length: 300 }, (_, i) =>
      row(`reader${(i * 7) % 300}@example.com`, { firstName: `Nr ${i}`, tags: i % 2 ? ["odd"] : [] }),
    );
    const written = await importing(rows, list);
    expect(written.map(({ contact }) => contact.email)).toEqual(rows.map(({ email }) => email));
    expect(written.every(({ created }) => created)).toBe(true);
    const newest = rows.slice(-100).map(({ email }) => email);
    expect((await emails("/contacts?limit=100")).toReversed()).toEqual(newest);
    expect(await emails("/contacts?q=nr%20299")).toEqual([rows[299]!.email]);
    expect((await get("/contacts?tag=odd&limit=1")).length).toBe(1);
    expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(300);
    expect(derivedTablesAgree(api)).toBe(true);
    // It leaves nothing to a server that may not be there.
    const { through, newest: last } = searchIndex(api.services.database.sqlite);
    expect(through).toBe(last);
  });

  test("of two with one address the second changes what the first made", async () => {
    const written = await importing([
      row("ada@example.com", { firstName: "Ada", tags: ["a"] }),
      row("grace@example.com"),
      row("ada@example.com", { lastName: "Lovelace", status: "UNSUBSCRIBED" }),
      row("ada@example.com", { tags: ["b"] }),
    ]);
    expect(written.map(({ created }) => created)).toEqual([true, true, false, false]);
    expect(new Set(written.map(({ contact }) => contact.id)).size).toBe(2);
    const [, ada] = await get("/contacts");
    expect(ada).toMatchObject({
      firstName: "Ada",
      lastName: "Lovelace",
      tags: ["b"],
      status: "UNSUBSCRIBED",
    });
    expect(await suppressions(api)).toEqual({ "ada@example.com": "UNSUBSCRIBED" });
    expect(derivedTablesAgree(api)).toBe(true);
  });

  test("take nobody back who opted out, bounced or is suppressed, and put none of them on the list", async () => {
    const list = await listOf(api, "Newsletter");
    const grace = await person(api, "grace@example.com");
    await api.call("PATCH", `/contacts/${grace.id}`, { status: "UNSUBSCRIBED" });
    await api.services.suppressions.add(api.workspaceId, "linus@example.com", "HARD_BOUNCE");
    const people = ["ada@example.com", "grace@example.com", "linus@example.com"];
    const written = await importing(
      people.map((email) => row(email)),
      list,
    );
    expect(written.map(({ contact }) => contact.status)).toEqual(["SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"]);
    expect(await emails(`/lists/${list}/contacts`)).toEqual(["ada@example.com"]);
    expect(derivedTablesAgree(api)).toBe(true);
  });

  test("cost reading only where everything is as the file says", async () => {
    const list = await listOf(api, "Newsletter");
    const rows = ["ada", "grace"].map((name) =>
      row(`${name}@example.com`, { firstName: name, tags: ["vip"] }),
    );
    const first = await importing(rows, list);
    const before = changes();
    const second = await importing(rows, list);
    expect(changes()).toBe(before);
    expect(second.map(({ contact }) => contact)).toEqual(first.map(({ contact }) => contact));
  });

  test("with attributes: merged, counted, and each checked against what the ones before it wrote", async () => {
    const list = await listOf(api, "Newsletter");
    const names = (from: number, n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`n${from + i}`, 1]));
    const rows = [
      ...Array.from({ length: 5 }, (_, i) =>
        row(`full${i}@example.com`, { attributes: names(100 * i, i === 4 ? 99 : 100) }),
      ),
      row("fits@example.com", { attributes: { last: "Ü" } }),
      row("beyond@example.com", { attributes: { beyond: 1 } }),
      row("fits@example.com", { attributes: { last: null, n0: ["a"] } }),
      row("again@example.com", { attributes: { again: true, n1: false } }),
      row("full0@example.com", { attributes: { n_more: 1 } }),
      row("plain@example.com"),
    ];
    const written = await results(rows, list);
    expect(written.map(({ ok }) => ok)).toEqual([...Array(6).fill(true), false, true, true, false, true]);
    const shown = async (email: string) =>
      (await get(`/contacts?include=attributes&q=${email}`))[0]?.attributes;
    expect(await shown("fits@")).toEqual({ n0: ["a"] });
    expect(await shown("again@")).toEqual({ again: true, n1: false });
    expect(await shown("beyond@")).toBeUndefined();
    expect(await shown("plain@")).toEqual({});
    expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(8);
    expect(await get("/attributes")).toHaveLength(500);
    expect(derivedTablesAgree(api)).toBe(true);
  });

  test("are none of them written where the list is gone", async () => {
    const list = await listOf(api, "Newsletter");
    await api.call("DELETE", `/lists/${list}`);
    expect(importing([row("ada@example.com")], list)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await emails("/contacts")).toEqual([]);
  });
});
