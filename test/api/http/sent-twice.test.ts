/** What a request says twice with two values is refused: one of them would be lost without a word. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import { BASE_URL, startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

/** Every parameter of the routes that name nothing in their path. */
const PARAMETERS = Object.entries(apiDocument(BASE_URL).paths).flatMap(([path, { get }]) =>
  path.startsWith("/api/v1/") && !path.includes("{")
    ? (get?.parameters ?? []).flatMap(({ name, in: place }) =>
        place === "query" ? [[path.slice("/api/v1".length), name] as const] : [],
      )
    : [],
);

describe("a parameter that is there twice", () => {
  const refusals = PARAMETERS.filter(([, name]) => name !== "limit");

  test("is refused by every list and every export, whatever it is", async () => {
    expect(refusals.length).toBeGreaterThan(40);
    for (const [path, name] of refusals) {
      const { status, body } = await api.call("GET", `${path}?${name}=a&${name}=b`);
      expect([path, name, status, body.error?.message]).toEqual([
        path,
        name,
        422,
        `\`${name}\` is there twice. Send it once.`,
      ]);
    }
  });

  test("is taken where it says the same twice; `limit` refuses nothing; what nobody documents is ignored", async () => {
    for (const query of [
      "status=PENDING&status=PENDING",
      "limit=1&limit=2",
      "limit=x&limit=2",
      "nothing=1&nothing=2",
    ])
      expect([query, (await api.call("GET", `/contacts?${query}`)).status]).toEqual([query, 200]);
  });
});

test("an import with two parts `options` is refused, and imports nobody", async () => {
  const form = new FormData();
  form.append("file", new Blob(["email\nada@example.com\n"]), "people.csv");
  form.append("options", JSON.stringify({ status: "SUBSCRIBED" }));
  form.append("options", JSON.stringify({ status: "UNSUBSCRIBED" }));
  const headers = { authorization: `Bearer ${api.key}` };
  const response = await fetch(`${api.url}/api/v1/imports`, { method: "POST", headers, body: form });
  const { error } = (await response.json()) as any;
  expect([response.status, error?.message]).toEqual([
    422,
    "There are two parts `options` in the body: send one.",
  ]);
  expect((await api.call("GET", "/imports")).body.data).toEqual([]);
  expect((await api.call("GET", "/contacts")).body.data).toEqual([]);
});
