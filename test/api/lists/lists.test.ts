import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { derivedTablesAgree, listOf, person } from "../../support/people/people.ts";
import { freeze } from "../../support/sending/campaigns.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const read = async (id: string) => (await api.call("GET", `/lists/${id}`)).body.data;
const members = async (id: string): Promise<string[]> =>
  (await api.call("GET", `/lists/${id}/contacts?limit=100`)).body.data.map((contact: any) => contact.email);
const add = (id: string, body: unknown) => api.call("POST", `/lists/${id}/contacts`, body);

describe("a list", () => {
  test("is created with a trimmed name, 0 contacts and its workspace's id", async () => {
    const { status, body } = await api.call("POST", "/lists", { name: "  Mathematicians " });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ orgId: api.workspaceId, name: "Mathematicians", contactCount: 0 });
    expect(await read(body.data.id)).toEqual(body.data);
  });

  for (const body of [{}, { name: "" }, { name: "  " }, { name: null }, { name: 7 }, "{", "[]"]) {
    test(`is neither made nor renamed by ${JSON.stringify(body)}: 422`, async () => {
      const id = await listOf(api, "Kept");
      const { total } = (await api.call("GET", "/lists")).body.pagination;
      expect((await api.call("POST", "/lists", body)).status).toBe(422);
      expect((await api.call("PATCH", `/lists/${id}`, body)).status).toBe(422);
      expect((await read(id)).name).toBe("Kept");
      expect((await api.call("GET", "/lists")).body.pagination.total).toBe(total);
    });
  }

  test("is renamed, and then found under the new name only", async () => {
    const id = await listOf(api, "Früher");
    const renamed = await api.call("PATCH", `/lists/${id}`, { name: " 100% später " });
    expect(renamed.body.data).toEqual({ ...(await read(id)), name: "100% später" });
    const found = async (q: string) =>
      (await api.call("GET", `/lists?q=${encodeURIComponent(q)}`)).body.data.map((list: any) => list.id);
    expect(await found("SPÄTER")).toEqual([id]);
    expect(await found("0% s")).toEqual([id]);
    expect(await found("früher")).toEqual([]);
    expect(await found("%%")).toEqual([]);
  });

  test("counts its contacts whatever their status, also when they change it", async () => {
    const ada = await person(api, "ada@example.com", { status: "PENDING" });
    const grace = await person(api, "grace@example.com");
    const id = await listOf(api, "Counted", [ada.id, grace.id]);
    expect((await read(id)).contactCount).toBe(2);
    await api.call("PATCH", `/contacts/${ada.id}`, { status: "SUBSCRIBED" });
    expect((await api.call("GET", `/lists/${id}/contacts?status=SUBSCRIBED`)).body.pagination.total).toBe(2);
    await api.call("PATCH", `/contacts/${ada.id}`, { status: "UNSUBSCRIBED" });
    expect((await read(id)).contactCount).toBe(1);
    expect(await members(id)).toEqual(["grace@example.com"]);
    expect(derivedTablesAgree(api)).toBe(true);
  });

  test("is deleted without its contacts; a second time is 404", async () => {
    const linus = await person(api, "linus@example.com");
    const id = await listOf(api, "Short-lived", [linus.id]);
    const other = await listOf(api, "Lasting", [linus.id]);
    expect((await api.call("DELETE", `/lists/${id}`)).status).toBe(204);
    expect((await api.call("DELETE", `/lists/${id}`)).status).toBe(404);
    expect((await api.call("GET", `/contacts/${linus.id}`)).body.data).toEqual(linus);
    expect((await api.call("GET", `/contacts/${linus.id}/lists`)).body.data).toHaveLength(1);
    expect(await members(other)).toEqual(["linus@example.com"]);
    expect(derivedTablesAgree(api)).toBe(true);
  });
});

test("deleting a list takes it off its campaigns; one that is scheduled on it returns to DRAFT, others stay", async () => {
  const id = await listOf(api, "Campaigned");
  const campaign = (values: string, list: string) =>
    writeTo(
      api,
      `INSERT INTO campaigns (id, status, scheduled_at, next_try_at, sent_at, workspace, name, subject, search, list, created_at)
       SELECT ${values}, workspace, '', '', '', seq, 0 FROM lists WHERE lists.id = ?`,
      list,
    );
  await campaign("'draft', 'DRAFT', NULL, NULL, NULL", id);
  await campaign("'scheduled', 'SCHEDULED', 1000, 1000, NULL", id);
  await campaign("'going', 'SCHEDULED', 1000, 1000, NULL", id);
  await freeze(api, "going", { queued: 1 });
  await campaign("'sent', 'SENT', 1000, 1000, 2000", id);
  await campaign("'elsewhere', 'SCHEDULED', 1000, 1000, NULL", await listOf(api, "Another"));
  await api.call("DELETE", `/lists/${id}`);
  const rows = rowsFrom(
    api,
    "SELECT id, status, list IS NULL AS off, scheduled_at AS at FROM campaigns ORDER BY seq",
  );
  expect(rows).toEqual([
    { id: "draft", status: "DRAFT", off: 1, at: null },
    { id: "scheduled", status: "DRAFT", off: 1, at: null },
    { id: "going", status: "SCHEDULED", off: 1, at: 1000 },
    { id: "sent", status: "SENT", off: 1, at: 1000 },
    { id: "elsewhere", status: "SCHEDULED", off: 0, at: 1000 },
  ]);
});

describe("POST /lists/{id}/contacts", () => {
  test("adds by contactId or contactIds; those already on it count as added, opted-out ones as skipped", async () => {
    const barbara = await person(api, "barbara@example.com");
    const ken = await person(api, "ken@example.com", { status: "PENDING" });
    const out = await person(api, "out@example.com", { status: "UNSUBSCRIBED" });
    const dead = await person(api, "dead@example.com", { status: "BOUNCED" });
    const id = await listOf(api, "Unix");
    expect((await add(id, { contactId: barbara.id })).body.data).toEqual({ added: 1, skipped: 0 });
    const contactIds = [ken.id, out.id, 7, barbara.id, null, dead.id];
    expect((await add(id, { contactIds, contactId: "ignored" })).body.data).toEqual({ added: 2, skipped: 2 });
    expect((await add(id, { contactId: out.id })).body.data).toEqual({ added: 0, skipped: 1 });
    expect(await members(id)).toEqual(["ken@example.com", "barbara@example.com"]);
    expect((await read(id)).contactCount).toBe(2);
  });

  test("an array without a string falls back to contactId", async () => {
    const { id: contactId } = await person(api, "dennis@example.com");
    const id = await listOf(api, "C");
    expect((await add(id, { contactIds: [1, null], contactId })).body.data).toEqual({ added: 1, skipped: 0 });
  });

  test("keeps the time somebody joined first", async () => {
    const { id: contactId } = await person(api, "radia@example.com");
    const id = await listOf(api, "Network", [contactId]);
    const before = (await api.call("GET", `/contacts/${contactId}/lists`)).body.data;
    await add(id, { contactId });
    expect((await api.call("GET", `/contacts/${contactId}/lists`)).body.data).toEqual(before);
  });

  for (const body of [
    {},
    { contactIds: [] },
    { contactIds: [7] },
    { contactIds: "x" },
    { contactId: "" },
    { contactId: 7 },
    "{",
  ]) {
    test(`${JSON.stringify(body)} is 422`, async () => {
      expect((await add(await listOf(api, "Strict"), body)).status).toBe(422);
    });
  }

  test("an unknown or repeated id is 404, names the first 20 of them, and nobody is added", async () => {
    const donald = await person(api, "donald@example.com");
    const id = await listOf(api, "All or nobody");
    const unknown = Array.from({ length: 25 }, (_, i) => `nobody-${i}`);
    const answer = await add(id, { contactIds: [donald.id, ...unknown] });
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(answer.body.error.message).toContain("nobody-0, nobody-1,");
    expect(answer.body.error.message).toContain("nobody-19 and 5 more");
    expect(answer.body.error.message).not.toContain("nobody-20");
    const repeated = await add(id, { contactIds: [donald.id, donald.id] });
    expect(repeated.status).toBe(404);
    expect(repeated.body.error.message).toContain(donald.id);
    expect(await members(id)).toEqual([]);
  });

  test("an unknown list is 404, whatever the body", async () => {
    for (const body of [{}, { contactIds: ["x"] }, "{"])
      expect((await add("list_none", body)).status).toBe(404);
  });

  test("50,000 ids in one call work", async () => {
    await writeTo(
      api,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
       INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT 'bulk-' || i, 1, 'bulk' || i || '@example.org', '', '', 'SUBSCRIBED', 'bulk' || i, 0 FROM n`,
    );
    const contactIds = Array.from({ length: 50_000 }, (_, i) => `bulk-${i + 1}`);
    const id = await listOf(api, "Everybody");
    expect((await add(id, { contactIds })).body.data).toEqual({ added: 50_000, skipped: 0 });
    expect((await read(id)).contactCount).toBe(50_000);
    expect((await add(id, { contactIds: [...contactIds, "bulk-0"] })).status).toBe(404);

    const other = await listOf(api, "Nobody");
    expect((await add(other, { contactIds: [...contactIds.slice(1), "bulk-0"] })).status).toBe(404);
    expect((await read(other)).contactCount).toBe(0);
    expect(derivedTablesAgree(api)).toBe(true);

    expect((await api.call("DELETE", `/lists/${id}`)).status).toBe(204);
    expect((await api.call("GET", `/lists/${id}`)).status).toBe(404);
    expect((await api.call("DELETE", `/lists/${id}`)).status).toBe(404);
    const left = rowsFrom(
      api,
      "SELECT count(*) AS n FROM list_members WHERE contact IN (SELECT seq FROM contacts WHERE id LIKE 'bulk-%')",
    );
    expect(left).toEqual([{ n: 0 }]);
    expect(derivedTablesAgree(api)).toBe(true);
  });

  test("a large call and whatever is asked meanwhile: readers see nobody of it or everybody, a write comes after it", async () => {
    await writeTo(
      api,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
       SELECT 'many-' || i, 1, 'many' || i || '@example.org', '', '', 'SUBSCRIBED', 'many' || i, 0 FROM n`,
    );
    const id = await listOf(api, "All or nobody");
    const seen = new Set<number>();
    const state = { isOver: false };
    const adding = add(id, { contactIds: Array.from({ length: 5_000 }, (_, i) => `many-${i + 1}`) }).finally(
      () => (state.isOver = true),
    );
    while (!state.isOver) seen.add((await read(id)).contactCount);
    expect((await adding).status).toBe(200);
    expect([...seen, 5_000].filter((count) => count !== 0 && count !== 5_000)).toEqual([]);
    const renamed = api.call("PATCH", `/lists/${id}`, { name: "Renamed" });
    expect(
      (await Promise.all([api.call("DELETE", `/lists/${id}`), renamed])).map(({ status }) => status),
    ).toContain(204);
    expect(derivedTablesAgree(api)).toBe(true);
  });
});

describe("DELETE /lists/{id}/contacts/{contactId}", () => {
  test("takes one contact off one list; not an error where it was not on it", async () => {
    const ids = [(await person(api, "edsger@example.com")).id, (await person(api, "alan@example.com")).id];
    const [from, other] = [await listOf(api, "From", ids), await listOf(api, "Other", ids)];
    for (let time = 0; time < 2; time++) {
      expect((await api.call("DELETE", `/lists/${from}/contacts/${ids[0]}`)).status).toBe(204);
      expect(await members(from)).toEqual(["alan@example.com"]);
      expect((await read(from)).contactCount).toBe(1);
    }
    expect((await read(other)).contactCount).toBe(2);
  });

  test("is 404 for an unknown list or contact", async () => {
    const { id } = await person(api, "emmy@example.com");
    const list = await listOf(api, "Algebra", [id]);
    expect((await api.call("DELETE", `/lists/none/contacts/${id}`)).status).toBe(404);
    expect((await api.call("DELETE", `/lists/${list}/contacts/none`)).status).toBe(404);
    expect(await members(list)).toEqual(["emmy@example.com"]);
  });
});

test("a list's contacts come in the order of their own creation, newest first, whenever they joined", async () => {
  const people = [];
  for (const name of ["a", "b", "c"]) people.push((await person(api, `${name}@order.example.com`)).id);
  const id = await listOf(api, "Ordered", [people[2]]);
  await add(id, { contactId: people[0] });
  await add(id, { contactId: people[1] });
  expect(await members(id)).toEqual(["c", "b", "a"].map((name) => `${name}@order.example.com`));
});
