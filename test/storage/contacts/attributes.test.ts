import { afterAll, beforeAll, expect, test } from "bun:test";
import { fold } from "#core/text/fold.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { hostileStrings } from "../../support/document/fuzz-values.ts";
import { person } from "../../support/people/people.ts";

let api: TestApi;
beforeAll(async () => void (api = await startApi()));
afterAll(() => api.stop());

const TEXTS = [
  "",
  "plain",
  "UPPER",
  "Zürich",
  "ÉCOLE",
  "STRASSE",
  "Straße",
  "ΣΊΣΥΦΟΣ",
  "İstanbul",
  "ı",
  "e\u0301",
  "Å",
  "日本語",
  "💌",
  'quo"te',
  "back\\slash",
  "line\nbreak\u2028",
];

test("SQLite finds each text as `fold` writes it, in texts and in lists: from the folded copy or by lower()", async () => {
  const texts = [...TEXTS, ...hostileStrings()].map((text) => text.slice(0, 300));
  const { sqlite } = api.services.database;
  const text = sqlite.query<{ folded: string }, []>(
    `SELECT coalesce(folded ->> '$.text', lower(attributes ->> '$.text')) AS folded
     FROM contact_attributes WHERE json_type(attributes, '$.text') = 'text' ORDER BY contact DESC LIMIT 1`,
  );
  const entries = sqlite.query<{ folded: string }, []>(
    `SELECT iif(folded ->> '$.list' IS NULL, lower(e.value), e.value) AS folded
     FROM (SELECT * FROM contact_attributes ORDER BY contact DESC LIMIT 1),
       json_each(coalesce(folded -> '$.list', attributes -> '$.list')) AS e ORDER BY e.key`,
  );
  for (const [i, given] of texts.entries()) {
    const list = [given, "ASCII", "Ü"].slice(0, 1 + (i % 3));
    const { attributes } = await person(api, `text${i}@example.com`, { attributes: { text: given, list } });
    expect([given, text.get()!.folded]).toEqual([given, fold(attributes.text)]);
    expect(entries.all().map(({ folded }) => folded)).toEqual(attributes.list.map(fold));
  }
});

test("a folded copy is kept only where lower() is not enough", async () => {
  const { sqlite } = api.services.database;
  await person(api, "ascii@example.com", {
    attributes: { a: "Hello", b: 1, c: ["X"], d: true, e: "Zürich" },
  });
  const folded = sqlite.query<{ folded: string | null }, []>(
    "SELECT json(folded) AS folded FROM contact_attributes ORDER BY contact DESC LIMIT 1",
  );
  expect(folded.get()!.folded).toBeNull();
  await person(api, "ascii@example.com", { attributes: { a: "ÉCOLE", c: ["X", "Ü"] } });
  expect(JSON.parse(folded.get()!.folded!)).toEqual({ a: "école", c: ["x", "ü"] });
  await person(api, "ascii@example.com", { attributes: { a: "Ecole", c: null } });
  expect(folded.get()!.folded).toBeNull();
});

test("who has no attributes has no row of them", async () => {
  const { sqlite } = api.services.database;
  const rows = sqlite.query<{ n: number }, []>("SELECT count(*) AS n FROM contact_attributes");
  const before = rows.get()!.n;
  const { id } = await person(api, "plain@example.com", { attributes: {} });
  expect(rows.get()!.n).toBe(before);
  await api.call("PATCH", `/contacts/${id}`, { attributes: { a: 1 } });
  expect(rows.get()!.n).toBe(before + 1);
  await api.call("PATCH", `/contacts/${id}`, { attributes: { a: null } });
  expect(rows.get()!.n).toBe(before);
});
