/** docs/contract.md "Choosing contacts". */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { newCampaign } from "../../support/sending/campaigns.ts";
import { consentLog, listOf, person, suppressions } from "../../support/people/people.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const tagged = (tag: string) => ({ field: "tag", op: "equals", value: tag });
const act = (body: object, query = "") => api.call("POST", `/contacts/actions${query}`, body);
const search = (rules: unknown, query = "") => api.call("POST", `/contacts/search${query}`, { rules });
const emails = async (rules: unknown): Promise<string[]> =>
  (await search(rules)).body.data.map(({ email }: { email: string }) => email);
const people = async (tag: string, count: number): Promise<string[]> => {
  const contacts = Array.from({ length: count }, (_, i) => ({
    email: `${tag}-${i}@example.com`,
    tags: [tag],
  }));
  const { body } = await api.call("POST", "/contacts/bulk", { contacts });
  return body.data.results.map(({ id }: { id: string }) => id);
};

describe("contacts whom rules hold for", () => {
  test("are paged newest first, with their attributes where they are asked for", async () => {
    await person(api, "first@example.com", { tags: ["paged"], attributes: { city: "Bern" } });
    await person(api, "second@example.com", { tags: ["paged"] });
    await person(api, "other@example.com");
    const first = await search(tagged("paged"), "?limit=1");
    expect(first.body.data.map(({ email }: any) => email)).toEqual(["second@example.com"]);
    expect(first.body.pagination).toMatchObject({ total: 2, limit: 1, hasMore: true });
    const next = await search(
      tagged("paged"),
      `?limit=1&include=attributes&after=${first.body.pagination.nextCursor}`,
    );
    expect(next.body.data[0]).toMatchObject({ email: "first@example.com", attributes: { city: "Bern" } });
    expect(next.body.pagination).toMatchObject({ hasMore: false, nextCursor: null });
  });

  test("wrong rules, names of nobody's and foreign words are refused", async () => {
    expect((await search({ field: "phone" })).status).toBe(422);
    expect((await api.call("POST", "/contacts/search", {})).status).toBe(422);
    expect((await api.call("POST", "/contacts/search", { filter: tagged("x") })).status).toBe(422);
    expect((await search({ field: "list", op: "equals", value: "list_nobodys" })).status).toBe(404);
  });
});

describe("one thing is done with many", () => {
  test("a tag is given to those who lack it, and taken off again", async () => {
    const ids = await people("taken", 3);
    await api.call("PATCH", `/contacts/${ids[0]}`, { tags: ["taken", "vip"] });
    const given = (await act({ rules: tagged("taken"), action: "addTag", tag: " vip " })).body.data;
    expect(given).toEqual({
      changed: 2,
      unchanged: 1,
      refused: 0,
      changedIds: [ids[2], ids[1]],
      problems: [],
      nextCursor: null,
    });
    expect((await api.call("GET", `/contacts/${ids[1]}`)).body.data.tags).toEqual(["taken", "vip"]);
    const again = (await act({ rules: tagged("taken"), action: "addTag", tag: "vip" })).body.data;
    expect([again.changed, again.unchanged]).toEqual([0, 3]);
    const undone = (await act({ contactIds: given.changedIds, action: "removeTag", tag: "vip" })).body.data;
    expect(undone.changed).toBe(2);
    expect(await emails({ all: [tagged("taken"), tagged("vip")] })).toEqual(["taken-0@example.com"]);
  });

  test("more than a call works on goes on where it stopped, and nobody has two turns", async () => {
    await people("many", 1_000);
    await people("many-more", 30);
    const rules = { any: [tagged("many"), tagged("many-more")] };
    const first = (await act({ rules, action: "addTag", tag: "done" })).body.data;
    expect([first.changed, typeof first.nextCursor]).toEqual([1_000, "string"]);
    const second = (await act({ rules, action: "addTag", tag: "done" }, `?after=${first.nextCursor}`)).body
      .data;
    expect([second.changed, second.unchanged, second.nextCursor]).toEqual([30, 0, null]);
    const { body } = await search({ all: [tagged("done"), rules] });
    expect(body.pagination.total).toBe(1_030);
    const foreign = await api.call("GET", `/contacts?after=${first.nextCursor}`);
    expect(foreign.status).toBe(422);
  });

  test("lists are joined and left; who may not join stays off and is named", async () => {
    const [a = "", b = ""] = await people("listed", 2);
    const out = await person(api, "out@example.com", { tags: ["listed"], status: "UNSUBSCRIBED" });
    const listId = await listOf(api, "Chosen", [a]);
    const added = (await act({ rules: tagged("listed"), action: "addToList", listId })).body.data;
    expect(added).toMatchObject({ changed: 1, unchanged: 1, refused: 1, changedIds: [b] });
    expect(added.problems).toEqual([
      { id: out.id, email: "out@example.com", message: "UNSUBSCRIBED contacts do not join lists." },
    ]);
    const removed = (await act({ contactIds: [a, b, out.id], action: "removeFromList", listId })).body.data;
    expect([removed.changed, removed.unchanged]).toEqual([2, 1]);
    expect((await api.call("GET", `/lists/${listId}`)).body.data.contactCount).toBe(0);
  });

  test("the deleted are gone, and those who had opted out stay suppressed", async () => {
    const before = await consentLog(api);
    const [a = ""] = await people("leaving", 1);
    const b = await person(api, "left@example.com", { tags: ["leaving"], status: "UNSUBSCRIBED" });
    const done = (await act({ contactIds: [a, b.id, "ct_nobody"], action: "delete" })).body.data;
    expect(done).toMatchObject({ changed: 2, refused: 0, changedIds: [a, b.id] });
    expect(await emails(tagged("leaving"))).toEqual([]);
    expect((await suppressions(api))["left@example.com"]).toBe("UNSUBSCRIBED");
    expect((await consentLog(api)).slice(0, before.length)).toEqual(before);
  });

  test("a tag too many is refused for that contact alone", async () => {
    const full = await person(api, "full@example.com", {
      tags: Array.from({ length: 50 }, (_, i) => `t${i}`),
    });
    const free = await person(api, "free@example.com");
    const done = (await act({ contactIds: [full.id, free.id], action: "addTag", tag: "one" })).body.data;
    expect([done.changed, done.refused, done.problems[0].email]).toEqual([1, 1, "full@example.com"]);
  });

  test("a call that does not say clearly who or what does nothing", async () => {
    const [id = ""] = await people("unclear", 1);
    const listId = await listOf(api, "Unclear");
    const bad: [object, number][] = [
      [{ action: "addTag", tag: "x" }, 422],
      [{ contactIds: [id], rules: tagged("unclear"), action: "addTag", tag: "x" }, 422],
      [{ contactIds: [], action: "delete" }, 422],
      [{ contactIds: [5], action: "delete" }, 422],
      [{ contactIds: Array.from({ length: 1_001 }, (_, i) => `ct_${i}`), action: "delete" }, 422],
      [{ contactIds: [id], action: "unsubscribe" }, 422],
      [{ contactIds: [id], action: "addTag" }, 422],
      [{ contactIds: [id], action: "addTag", tag: "  " }, 422],
      [{ contactIds: [id], action: "addToList" }, 422],
      [{ contactIds: [id], action: "addToList", listId: "list_nobodys" }, 404],
      [{ rules: { field: "list", op: "equals", value: "list_nobodys" }, action: "delete" }, 404],
      [{ ids: [id], action: "delete" }, 422],
    ];
    for (const [body, status] of bad) expect([body, (await act(body)).status]).toEqual([body, status]);
    expect((await api.call("GET", `/contacts/${id}`)).body.data.tags).toEqual(["unclear"]);
    expect((await api.call("GET", `/lists/${listId}`)).body.data.contactCount).toBe(0);
  });
});

describe("the chosen are exported", () => {
  const exported = async (body: object): Promise<string> => {
    const answer = await fetch(`${api.url}/api/v1/exports/contacts`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return `${answer.status} ${await answer.text()}`;
  };

  test("by ids and by rules, as the file of a GET", async () => {
    const ids = await people("file", 3);
    const byRules = await exported({ rules: tagged("file") });
    expect(
      byRules
        .split("\r\n")
        .slice(1, 4)
        .map((line) => line.split(",")[0]),
    ).toEqual(['"file-2@example.com"', '"file-1@example.com"', '"file-0@example.com"']);
    const byIds = await exported({ contactIds: [ids[0], "ct_nobody"], format: "jsonl" });
    expect(JSON.parse(byIds.slice(4))).toMatchObject({
      id: ids[0],
      email: "file-0@example.com",
      attributes: {},
    });
    expect((await exported({ format: "csv" })).slice(0, 3)).toBe("422");
    expect((await exported({ contactIds: ids, format: "xls" })).slice(0, 3)).toBe("422");
    const nobodys = { rules: { field: "list", op: "equals", value: "list_nobodys" } };
    expect((await exported(nobodys)).slice(0, 3)).toBe("404");
  });
});

test("a segment tells what keeps it from being deleted", async () => {
  const create = async (name: string, rules: object): Promise<string> =>
    (await api.call("POST", "/segments", { name, rules })).body.data.id;
  const id = await create("Used", tagged("x"));
  expect((await api.call("GET", `/segments/${id}/uses`)).body).toEqual({ data: [] });
  const outer = await create("Outer", { field: "segment", op: "equals", value: id });
  const { id: campaign } = await newCampaign(api, { name: "Spring" });
  await api.call("PATCH", `/campaigns/${campaign}/options`, { segmentId: id });
  expect((await api.call("GET", `/segments/${id}/uses`)).body.data).toEqual([
    { kind: "segment", id: outer, name: "Outer" },
    { kind: "campaign", id: campaign, name: "Spring" },
  ]);
  expect((await api.call("DELETE", `/segments/${id}`)).status).toBe(409);
  expect((await api.call("GET", "/segments/seg_nobodys/uses")).status).toBe(404);
});
