/** Fields that stand where nobody would read them: what they say would be lost without a word. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

describe("a field of the body in the query", () => {
  test("is refused, and nothing is done", async () => {
    const { id } = (await api.call("POST", "/contacts", { email: "ada@example.com" })).body.data;
    for (const query of ["status=UNSUBSCRIBED", "consent=declined", "tags[]=vip", "tags%5B0%5D=vip"]) {
      const { status, body } = await api.call("PATCH", `/contacts/${id}?${query}`, { firstName: "Ada" });
      expect([status, body.error?.code, body.error?.message]).toEqual([
        422,
        "VALIDATION_ERROR",
        expect.stringMatching(/^`\w+` stands in the query of the address\. Send it in the body, as JSON\.$/),
      ]);
    }
    const { data } = (await api.call("GET", `/contacts/${id}`)).body;
    expect([data.status, data.tags, data.firstName]).toEqual(["SUBSCRIBED", [], ""]);
  });

  test("comes after what the path names: what is not there is 404", async () => {
    expect((await api.call("PATCH", "/contacts/nobody?status=UNSUBSCRIBED", {})).status).toBe(404);
  });

  test("is none where the route has such a parameter, or where no field is called so", async () => {
    const { id } = (await api.call("POST", "/contacts", { email: "bob@example.com" })).body.data;
    for (const query of ["include=attributes", "utm_source=x", "_=1", "data.status=x", ""])
      expect((await api.call("PATCH", `/contacts/${id}?${query}`, { firstName: "Bob" })).status).toBe(200);
  });
});

describe("an option of an import", () => {
  const upload = async (query: string, parts: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, text] of Object.entries(parts)) form.append(name, text);
    form.append("file", new Blob(["email,status\ncem@example.com,SUBSCRIBED\n"]), "people.csv");
    const response = await fetch(`${api.url}/api/v1/imports${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${api.key}` },
      body: form,
    });
    return { status: response.status, body: (await response.json()) as any };
  };

  test("in a part of its own, or in the query, is refused, and nothing is imported", async () => {
    for (const [query, parts, says] of [
      ["", { existing: "keep" }, "There is no part `existing`: put it into the part `options`"],
      ["", { "listIds[]": "list_1", options: "{}" }, "There is no part `listIds[]`"],
      ["?status=PENDING", {}, "`status` stands in the query of the address. Send it in the part `options`"],
    ] as const) {
      const { status, body } = await upload(query, parts);
      expect([status, body.error?.message]).toEqual([422, expect.stringContaining(says)]);
    }
    expect((await api.call("GET", "/imports")).body.pagination.total).toBe(0);
  });

  test("may have other parts beside it, which no route reads", async () => {
    const { status } = await upload("", { submit: "Send", _csrf: "x", options: '{"existing":"keep"}' });
    expect(status).toBe(202);
  });
});
