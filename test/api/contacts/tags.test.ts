/** docs/contract.md "Contacts": the tags in use. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { writeTo } from "../../support/server/services.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const add = async (key: string, people: readonly (readonly string[])[], from = 0): Promise<string[]> => {
  const contacts = people.map((tags, i) => ({ email: `p${from + i}@example.com`, tags }));
  const { body } = await api.call("POST", "/contacts/bulk", { contacts }, key);
  return body.data.results.map(({ id }: { id: string }) => id);
};
const tags = async (key: string, q = ""): Promise<[string, number][]> =>
  (await api.call("GET", `/tags?q=${encodeURIComponent(q)}`, undefined, key)).body.data.map(
    ({ tag, contacts }: { tag: string; contacts: number }) => [tag, contacts],
  );

test("the most used come first, by any part of their name and in any case; what nobody has any more is gone", async () => {
  const { key } = await api.services.workspaces.create("Tags");
  expect(await tags(key)).toEqual([]);
  const [ada = ""] = await add(key, [["Über-fan", "vip"], ["vip"], ["vip", "VIP"], []]);
  await api.call("PATCH", `/contacts/${ada}`, { status: "UNSUBSCRIBED" }, key);
  expect(await tags(key)).toEqual([
    ["vip", 3],
    ["VIP", 1],
    ["Über-fan", 1],
  ]);
  expect(await tags(key, "ÜBER")).toEqual([["Über-fan", 1]]);
  expect(await tags(key, "no such")).toEqual([]);
  await api.call("DELETE", `/contacts/${ada}`, undefined, key);
  expect(await tags(key)).toEqual([
    ["vip", 2],
    ["VIP", 1],
  ]);
  expect(await tags(api.key)).toEqual([]);
});

test("tags that nobody has any more hide none of the others, however many they were", async () => {
  const { id, key } = await api.services.workspaces.create("Retired tags");
  await add(key, [["beta", "vip"], ["vip"]]);
  // As a program leaves them that made a tag for each order, and took it away again.
  await writeTo(
    api,
    `INSERT INTO contact_counts (workspace, tag, status, n)
     WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20001)
     SELECT (SELECT seq FROM workspaces WHERE id = ?), 'a-' || n, 'SUBSCRIBED', 0 FROM n`,
    id,
  );
  expect(await tags(key)).toEqual([
    ["vip", 2],
    ["beta", 1],
  ]);
  expect(await tags(key, "a")).toEqual([["beta", 1]]);
});

test("of very many tags the answer is a hundred, and one is found by its beginning wherever it stands", async () => {
  const { key } = await api.services.workspaces.create("Many tags");
  const orders = Array.from({ length: 130 }, (_, i) =>
    Array.from({ length: 50 }, (__, n) => `order-${String(i * 50 + n).padStart(5, "0")}`),
  );
  await add(key, orders);
  await add(key, [["zoo"], ["zoo"]], 1_000);
  expect(await tags(key)).toHaveLength(100);
  expect(await tags(key, "order-0499")).toHaveLength(10);
  expect(await tags(key, "zo")).toEqual([["zoo", 2]]);
});
