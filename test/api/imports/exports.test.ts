/** docs/contract.md "Many at once": contacts as a file. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { imported } from "../../support/people/imports.ts";
import { listOf, person } from "../../support/people/people.ts";

let api: TestApi;
let list = "";
beforeAll(async () => {
  api = await startApi();
  const fields = {
    firstName: "=1+1",
    tags: ["a", "b"],
    attributes: { city: "Zürich", age: 36, langs: ["en", "fr"] },
  };
  const ada = await person(api, "ada@example.com", fields);
  await person(api, "grace@example.com", { status: "PENDING", tags: ["a"] });
  await person(api, "gone@example.com", { consent: "declined" });
  list = await listOf(api, "Readers", [ada.id]);
});
afterAll(() => api.stop());

const ask = (query: string, key = api.key) =>
  fetch(`${api.url}/api/v1/exports/contacts${query}`, { headers: { authorization: `Bearer ${key}` } });
const addresses = async (query: string, key = api.key): Promise<string[]> => {
  const text = await (await ask(`?format=jsonl&${query}`, key)).text();
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line).email);
};

test("a CSV has the columns of an import, attributes by name, and runs nothing in a spreadsheet", async () => {
  const answer = await ask("");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="contacts.csv"');
  const lines = (await answer.text()).split("\r\n");
  expect(lines[0]).toBe(
    "email,firstName,lastName,tags,status,createdAt,attributes.age,attributes.city,attributes.langs",
  );
  expect(lines[3]).toMatch(
    /^"ada@example.com","'=1\+1","","a;b","SUBSCRIBED","[\dT:.-]+Z","36","Zürich","en;fr"$/,
  );
  expect(lines).toHaveLength(5);
});

test("lines of JSON are contacts with their attributes", async () => {
  const answer = await ask("?format=jsonl");
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  const lines = (await answer.text())
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(lines).toEqual((await api.call("GET", "/contacts?include=attributes")).body.data);
});

test("filters have to fit all, and what is not there is nobody", async () => {
  const segment = { name: "Tagged", rules: { field: "tag", op: "equals", value: "a" } };
  const { id } = (await api.call("POST", "/segments", segment)).body.data;
  expect(await addresses("status=PENDING")).toEqual(["grace@example.com"]);
  expect(await addresses("tag=a")).toEqual(["grace@example.com", "ada@example.com"]);
  expect(await addresses(`listId=${list}`)).toEqual(["ada@example.com"]);
  expect(await addresses(`listId=${list}&tag=c`)).toEqual([]);
  expect(await addresses(`segmentId=${id}`)).toEqual(["grace@example.com", "ada@example.com"]);
  expect(await addresses(`segmentId=${id}&listId=${list}`)).toEqual(["ada@example.com"]);
  expect(await addresses("listId=list_none")).toEqual([]);
  expect(await addresses("segmentId=seg_none")).toEqual([]);
  const other = await api.services.workspaces.create("Neighbours");
  expect(await (await ask(`?format=jsonl&listId=${list}`, other.key)).text()).toBe("");
  expect(await (await ask("?format=jsonl", other.key)).text()).toBe("");
});

test("a segment at the limits of rules, on a list, is exported like any other", async () => {
  const is = { field: "tag", op: "equals", value: "a" };
  const deep = { all: [{ any: [{ all: [{ any: [{ all: [is] }] }] }] }] };
  for (const rules of [{ any: Array.from({ length: 50 }, () => is) }, deep]) {
    const { id } = (await api.call("POST", "/segments", { name: "At the limits", rules })).body.data;
    expect(await addresses(`segmentId=${id}&listId=${list}`)).toEqual(["ada@example.com"]);
    expect(await addresses(`segmentId=${id}&listId=${list}&status=PENDING`)).toEqual([]);
    for (const none of ["%20", "list_none", "x".repeat(1_000)])
      expect(await addresses(`segmentId=${id}&listId=${none}`)).toEqual([]);
  }
});

test.each(["?format=xlsx", "?status=GONE", "?list=x"])("%s is 422", async (query) => {
  const answer = await ask(query);
  expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([422, "VALIDATION_ERROR"]);
});

/** The same service, asked with the key of a new workspace. */
async function anotherWorkspace(): Promise<TestApi> {
  const { id, key } = await api.services.workspaces.create("Another");
  return { ...api, workspaceId: id, key, call: (m, p, b?) => api.call(m, p, b, key) };
}

const peopleOf = async (where: TestApi) =>
  (await where.call("GET", "/contacts?include=attributes")).body.data
    .map(({ email, firstName, tags, status, attributes }: any) => [
      email,
      firstName,
      tags,
      status,
      Object.keys(attributes).toSorted(),
    ])
    .toSorted();

test("what is exported as CSV is imported again as it was, but for the types of attributes", async () => {
  const other = await anotherWorkspace();
  expect(await imported(other, await (await ask("")).text())).toMatchObject({ created: 3, failed: 0 });
  expect(await peopleOf(other)).toEqual(await peopleOf(api));
});

test("what is exported as JSON comes back by POST /contacts/bulk as it was, with the types of attributes", async () => {
  const other = await anotherWorkspace();
  const lines = (await (await ask("?format=jsonl")).text()).split("\n").slice(0, -1);
  const { body } = await other.call("POST", "/contacts/bulk", {
    contacts: lines.map((line) => JSON.parse(line)),
  });
  expect(body.data).toMatchObject({ created: 3, failed: 0 });
  const typed = async (of: TestApi) =>
    (await of.call("GET", "/contacts?include=attributes")).body.data
      .map((contact: any) => ({ ...contact, id: "", createdAt: "" }))
      .toSorted((a: any, b: any) => (a.email < b.email ? -1 : 1));
  expect(await typed(other)).toEqual(await typed(api));
});

test("tags come back that hold what stands between tags, or look as if they were quoted", async () => {
  const [from, to] = [await anotherWorkspace(), await anotherWorkspace()];
  await person(from, "odd@example.com", { tags: ["x;y", '"z"', "=1;@b", "c,d"] });
  await person(from, "quoted@example.com", { tags: ['"'] });
  const csv = await (await ask("", from.key)).text();
  expect(await imported(to, csv)).toMatchObject({ created: 2, failed: 0 });
  expect(await peopleOf(to)).toEqual(await peopleOf(from));
});

test("a line end in a cell begins no formula, also where `;` separates cells, and the cell comes back", async () => {
  const [from, to] = [await anotherWorkspace(), await anotherWorkspace()];
  const company = "Acme\n=1+1;z\n\nSecond";
  await person(from, "lines@example.com", { attributes: { company } });
  const csv = await (await ask("", from.key)).text();
  expect(csv).toContain(`"Acme\n'=1+1;z\n\nSecond"`);
  expect(await imported(to, csv)).toMatchObject({ created: 1, failed: 0 });
  const [back] = (await to.call("GET", "/contacts?include=attributes")).body.data;
  expect(back.attributes).toEqual({ company });
});

test("a client that goes away ends it, and nothing is logged as an error", async () => {
  const contacts = Array.from({ length: 1_000 }, (_, i) => ({
    email: `many${i}@example.com`,
    lastName: "x".repeat(200),
  }));
  const { key } = await api.services.workspaces.create("Many");
  for (let i = 0; i < 3; i++) {
    const others = contacts.map((one) => ({ ...one, email: `${i}${one.email}` }));
    await api.call("POST", "/contacts/bulk", { contacts: others }, key);
  }
  const answer = await ask("", key);
  const reader = answer.body!.getReader();
  await reader.read();
  await reader.cancel();
  expect((await addresses("", key)).length).toBe(3_000);
  expect(api.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
