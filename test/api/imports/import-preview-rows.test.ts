/** docs/contract.md "Many at once": the first rows of a file as they will be. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { upload } from "../../support/people/imports.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const preview = async (file: string, options?: object, query = "?include=rows") =>
  await upload(api, `/imports/preview${query}`, file, options);

const FILE = [
  "Mail;Vorname;Stadt;Status",
  "ada@example.com;Ada;Bern;SUBSCRIBED",
  "nobody;Bad;Basel;SUBSCRIBED",
  "grace@example.com;;;SUBSCRIPED",
  "alan@example.com;;;",
].join("\n");

test("rows are shown as the mapping makes them, with what is wrong with each", async () => {
  const mapping = { Mail: "email", Vorname: "firstName", Stadt: "attributes.city", Status: "status" };
  const { status, body } = await preview(FILE, { mapping, status: "PENDING" });
  expect([status, body.data.refusal]).toEqual([200, null]);
  const [ada, bad, grace, alan] = body.data.rows;
  expect(ada).toEqual({
    line: 2,
    contact: {
      email: "ada@example.com",
      firstName: "Ada",
      lastName: null,
      tags: null,
      status: "SUBSCRIBED",
      attributes: { city: "Bern" },
      consentAt: null,
    },
    message: null,
  });
  expect([bad.line, bad.contact, typeof bad.message]).toEqual([3, null, "string"]);
  expect([grace.contact, grace.message]).toEqual([
    null,
    "the status \"SUBSCRIPED\" is none of PENDING, SUBSCRIBED, UNSUBSCRIBED, BOUNCED: write one of them, or have the column read as another tool's (`mapping`, --map 'Status=subscribed')",
  ]);
  expect(alan.contact).toMatchObject({ email: "alan@example.com", status: "PENDING", firstName: null });
  expect((await api.call("GET", "/contacts")).body.pagination.total).toBe(0);
});

test("what the import would be refused for is said, with no rows", async () => {
  const { body } = await preview("email\nada@example.com\n");
  expect(body.data.rows).toEqual([]);
  expect(body.data.refusal).toStartWith("The file has no status column");
});

test("at most 20 rows are shown, and none unless they are asked for", async () => {
  const file = `email\n${Array.from({ length: 30 }, (_, i) => `p${i}@example.com`).join("\n")}\n`;
  const { body } = await preview(file, { status: "SUBSCRIBED" });
  expect(body.data.rows.map(({ contact }: any) => contact.email).at(-1)).toBe("p19@example.com");
  const plain = (await preview(file, { status: "SUBSCRIBED" }, "")).body.data;
  expect(Object.keys(plain)).toEqual(["source", "delimiter", "encoding", "columns"]);
  expect((await preview(file, {}, "?include=columns")).status).toBe(422);
});

test("two columns of one name are two columns, and a mapping says what becomes of each", async () => {
  const file = "email,Note,Note,email\nada@example.com,first,second,old@example.com\n";
  const { body } = await preview(file, { status: "PENDING" });
  expect(body.data.columns.map(({ header }: any) => header)).toEqual([
    "email",
    "Note",
    "Note (2)",
    "email (2)",
  ]);
  expect(body.data.refusal).toBe("The column email is there twice: leave one out.");
  const mapping = { email: "email", "email (2)": null, Note: "attributes.note", "Note (2)": "lastName" };
  const told = (await preview(file, { status: "PENDING", mapping })).body.data;
  expect([told.refusal, told.rows[0].contact]).toMatchObject([
    null,
    { email: "ada@example.com", lastName: "second", attributes: { note: "first" } },
  ]);
});

test("tags with commas between them are suggested as such, and a mapping of them alone leaves the others", async () => {
  const suggested = async (cells: readonly string[]) => {
    const rows = cells.map((cell, i) => `p${i}@example.com,P,${cell}`);
    const { data } = (await preview(`Email,Given name,Tags\n${rows.join("\n")}\n`)).body;
    return data.columns.at(-1).suggested;
  };
  expect(await suggested(["vip", '"vip, wholesale"'])).toBe("tagsByComma");
  // One of ours, and one of Mailchimp's: a comma belongs to a tag there.
  expect(await suggested(['"vip, wholesale"', "a;b"])).toBe("tags");
  expect(await suggested(['"""vip"",""a, b"""'])).toBe("tags");
  expect(await suggested(["vip"])).toBe("tags");
  const file = 'Email,Given name,Tags\nada@example.com,Ada,"vip, wholesale"\n';
  for (const [mapping, tags] of [
    [{ Tags: "tagsByComma" }, ["vip", "wholesale"]],
    [{}, ["vip, wholesale"]],
  ])
    expect((await preview(file, { status: "PENDING", mapping })).body.data.rows[0].contact).toMatchObject({
      firstName: "Ada",
      tags,
    });
});
