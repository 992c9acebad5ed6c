import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { consentLog, derivedTablesAgree, listOf, person, suppressions } from "../../support/people/people.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const post = (body: unknown) => api.call("POST", "/contacts", body);
const patch = (id: string, body: unknown) => api.call("PATCH", `/contacts/${id}`, body);
const read = async (id: string) => (await api.call("GET", `/contacts/${id}`)).body.data;
const found = async (query: Record<string, string>) => {
  const { body } = await api.call("GET", `/contacts?limit=100&${new URLSearchParams(query).toString()}`);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map((contact: any) => contact.email).toSorted();
};

describe("POST /contacts", () => {
  test("creates with 201 and the documented fields, then answers 200 for the same address", async () => {
    const answer = await post({ email: "  Ada@Example.COM ", firstName: " Ada ", tags: ["vip"] });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      email: "ada@example.com",
      firstName: "Ada",
      lastName: "",
      tags: ["vip"],
      status: "SUBSCRIBED",
    });
    expect(await read(answer.body.data.id)).toEqual(answer.body.data);
    const again = await post({ email: "ada@example.com", lastName: "Lovelace" });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ ...answer.body.data, lastName: "Lovelace", tags: [] });
  });

  test("an empty or missing name leaves the field, tags are replaced, left out they are emptied", async () => {
    const grace = await person(api, "grace@example.com", {
      firstName: "Grace",
      lastName: "Hopper",
      tags: ["a", "b"],
    });
    const changed = await person(api, "grace@example.com", {
      firstName: "",
      lastName: null,
      tags: ["b", "c"],
    });
    expect(changed).toEqual({ ...grace, tags: ["b", "c"] });
    expect(await person(api, "grace@example.com")).toEqual({ ...grace, tags: [] });
  });

  test("takes tags trimmed, without empty and repeated ones, and tells case apart", async () => {
    const tags = [" a ", "", "b", "a", "A", "  "];
    expect((await person(api, "linus@example.com", { tags })).tags).toEqual(["a", "b", "A"]);
  });

  const fifty = Array.from({ length: 50 }, (_, i) => `tag ${i}`);
  const refused: Record<string, unknown> = {
    "no email": {},
    "an empty email": { email: "" },
    "a null email": { email: null },
    "an email that is none": { email: "ada" },
    "an email that is no string": { email: 7 },
    "two addresses": { email: "a@example.com, b@example.com" },
    "a name that is no string": { email: "x@example.com", firstName: 7 },
    "tags that are no array": { email: "x@example.com", tags: "vip" },
    "a tag that is no string": { email: "x@example.com", tags: ["a", 7] },
    "51 tags": { email: "x@example.com", tags: [...fifty, "one more"] },
    "a tag of 101 characters": { email: "x@example.com", tags: ["é".repeat(101)] },
    "an unknown consent": { email: "x@example.com", consent: "yes" },
    "an empty consent": { email: "x@example.com", consent: "" },
    "a consent that is no string": { email: "x@example.com", consent: true },
    "unreadable JSON": "{",
    "JSON that is no object": "[]",
  };
  for (const [what, body] of Object.entries(refused)) {
    test(`${what}: 422, and nothing is written`, async () => {
      const before = await api.call("GET", "/contacts");
      const answer = await post(body);
      expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
      expect((await api.call("GET", "/contacts")).body).toEqual(before.body);
    });
  }

  test("limits count code points: 50 tags of 100 emoji are fine", async () => {
    const tags = fifty.map((_, i) => "😀".repeat(98) + String(10 + i));
    expect((await person(api, "donald@example.com", { tags })).tags).toEqual(tags);
  });

  test("an unrecognized status of any type counts as SUBSCRIBED, null as not sent", async () => {
    for (const [i, status] of ["subscribed", "", 7, null, { a: 1 }, ["PENDING"]].entries()) {
      expect((await person(api, `odd${i}@example.com`, { status })).status).toBe("SUBSCRIBED");
    }
  });

  test("a hundred at once for one new address make one contact: one 201, the rest 200", async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        post({ email: "barbara@example.com", firstName: `Barbara ${i}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await found({ q: "barbara@example.com" })).toHaveLength(1);
  });

  test("the same again and again beside a change: the change stays, and the answers tell it", async () => {
    const body = { email: "margaret@example.com", firstName: "Margaret" };
    const { id } = (await post(body)).body.data;
    const again = () => Array.from({ length: 20 }, () => post(body));
    const answers = await Promise.all([...again(), patch(id, { status: "UNSUBSCRIBED" }), ...again()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const data = await read(id);
    expect(data.status).toBe("UNSUBSCRIBED");
    expect((await post(body)).body.data).toEqual(data);
  });
});

describe("PATCH /contacts/{id}", () => {
  test("changes only what is sent; an empty, unreadable or null body changes nothing", async () => {
    const ken = await person(api, "ken@example.com", {
      firstName: "Ken",
      lastName: "Thompson",
      tags: ["unix"],
    });
    for (const body of [
      {},
      "{",
      "[]",
      "",
      { email: null, tags: null, status: null, consent: null },
      { unknown: 1 },
    ]) {
      const answer = await patch(ken.id, body);
      expect([answer.status, answer.body.data]).toEqual([200, ken]);
    }
    expect((await patch(ken.id, { firstName: " Kenneth " })).body.data).toEqual({
      ...ken,
      firstName: "Kenneth",
    });
    expect(await read(ken.id)).toEqual({ ...ken, firstName: "Kenneth" });
  });

  test("an empty value or null clears a name; tags are replaced, [] empties them", async () => {
    const dennis = await person(api, "dennis@example.com", { firstName: "D", lastName: "R", tags: ["c"] });
    const cleared = await patch(dennis.id, { firstName: "", lastName: null, tags: [] });
    expect(cleared.body.data).toEqual({ ...dennis, firstName: "", lastName: "", tags: [] });
  });

  test("a taken address is 409 and changes nothing; one's own address is fine", async () => {
    const radia = await person(api, "radia@example.com");
    await person(api, "taken@example.com");
    const answer = await patch(radia.id, {
      email: " TAKEN@example.com",
      firstName: "Radia",
      consent: "declined",
    });
    expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
    expect(await read(radia.id)).toEqual(radia);
    expect(Object.keys(await suppressions(api))).not.toContain("radia@example.com");
    expect(await consentLog(api)).toEqual([]);
    expect((await patch(radia.id, { email: "Radia@example.com" })).body.data).toEqual(radia);
  });

  test("a changed address is found under the new one only, and the old one is free", async () => {
    const { id } = await person(api, "before@example.org", { lastName: "Movers" });
    await patch(id, { email: "after@example.org" });
    expect(await found({ q: "before@example.org" })).toEqual([]);
    expect(await found({ q: "after@example.org" })).toEqual(["after@example.org"]);
    expect((await person(api, "before@example.org")).id).not.toBe(id);
  });

  const refused = {
    "an invalid email": { email: "nobody" },
    "an empty email": { email: "" },
    "a name that is no string": { lastName: ["x"] },
    "tags that are no array": { tags: { 0: "a" } },
    "too many tags": { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) },
    "a too long tag": { tags: ["x".repeat(101)] },
    "an unrecognized status": { status: "subscribed", consent: "declined" },
    "an empty status": { status: "" },
    "an unknown consent": { consent: "maybe" },
  };
  for (const [what, body] of Object.entries(refused)) {
    test(`${what}: 422, and nothing is written`, async () => {
      const edsger = await person(api, "edsger@example.com", { firstName: "Edsger" });
      const answer = await patch(edsger.id, { firstName: "Changed", ...body });
      expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
      expect(await read(edsger.id)).toEqual(edsger);
    });
  }

  test("of two at once for one address, one gets it and the other 409", async () => {
    const ids = [(await person(api, "one@example.org")).id, (await person(api, "two@example.org")).id];
    const answers = await Promise.all(ids.map((id) => patch(id, { email: "both@example.org" })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe("DELETE /contacts/{id}", () => {
  test("answers 204, then 404; memberships go, delivery records stay without the person", async () => {
    const { id } = await person(api, "margaret@example.com", { tags: ["apollo"] });
    const list = await listOf(api, "Moon", [id]);
    await writeTo(
      api,
      "INSERT INTO mailings (workspace, kind, source_id, phase, created_at) VALUES (1, 'campaign', 'c', 'finished', 0)",
    );
    await writeTo(
      api,
      "INSERT INTO deliveries (mailing, contact, address, state) SELECT 1, seq, email, 'sent' FROM contacts WHERE id = ?",
      id,
    );
    expect((await api.call("DELETE", `/contacts/${id}`)).status).toBe(204);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      expect((await api.call(method, `/contacts/${id}`)).status).toBe(404);
    }
    expect((await api.call("GET", `/contacts/${id}/lists`)).status).toBe(404);
    expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(0);
    expect(rowsFrom(api, "SELECT contact, address FROM deliveries")).toEqual([
      { contact: null, address: "margaret@example.com" },
    ]);
    expect(await found({ tag: "apollo" })).toEqual([]);
    expect(derivedTablesAgree(api)).toBe(true);
  });
});

test("GET /contacts/{id}/lists shows the newest list first, whenever it was joined", async () => {
  const { id } = await person(api, "alan@example.com");
  const older = await listOf(api, "Older");
  const newer = await listOf(api, "Newer", [id]);
  await api.call("POST", `/lists/${older}/contacts`, { contactId: id });
  const { body } = await api.call("GET", `/contacts/${id}/lists`);
  expect(body.data.map((each: any) => [each.id, each.name])).toEqual([
    [newer, "Newer"],
    [older, "Older"],
  ]);
  const { createdAt } = (await api.call("GET", `/lists/${older}`)).body.data;
  expect(body.data[1].createdAt).toBe(createdAt);
  expect(body.data[1].addedAt >= body.data[0].addedAt).toBe(true);
});
