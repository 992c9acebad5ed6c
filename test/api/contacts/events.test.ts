import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { person, suppressions } from "../../support/people/people.ts";

let service: TestApi;
let api: TestApi;
beforeAll(async () => {
  service = await startApi();
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
});
afterAll(() => service.stop());

const record = (body: unknown) => api.call("POST", "/events", body);
const recorded = async (query = ""): Promise<any[]> =>
  (await api.call("GET", `/events?limit=100${query}`)).body.data;
const total = async (query = ""): Promise<number> =>
  (await api.call("GET", `/events?limit=1${query}`)).body.pagination.total;

describe("POST /events", () => {
  test("answers 201 with exactly id, name and createdAt, and GET shows all of it", async () => {
    const ada = await person(api, "buyer@example.com");
    const answer = await record({
      name: "Order Placed",
      email: " BUYER@example.com ",
      properties: { plan: "pro", cart: [1, { sku: "A" }] },
      value: 19.99,
      currency: "eur",
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { id: expect.any(String), name: "order_placed", createdAt: expect.any(String) },
    });
    expect(await recorded(`&contactId=${ada.id}`)).toEqual([
      {
        ...answer.body.data,
        properties: { plan: "pro", cart: [1, { sku: "A" }] },
        valueCents: 1999,
        currency: "EUR",
        contactId: ada.id,
      },
    ]);
  });

  test("an event without an amount reads null, and empty properties", async () => {
    await record({ name: "seen", email: "ada@example.com" });
    const [event] = await recorded("&name=seen");
    expect([event.valueCents, event.currency, event.properties]).toEqual([null, null, {}]);
  });

  test("a property may have a name that every object has: a racing shop's `constructor` is kept and found", async () => {
    const properties = { constructor: "Lotus", car: { prototype: "72" }, toString: "x" };
    expect((await record({ name: "raced", email: "jim@example.com", properties })).status).toBe(201);
    expect((await recorded("&name=raced"))[0].properties).toEqual(properties);
    const found = async (property: string, value: string): Promise<number> => {
      const where = [{ property, op: "equals", value }];
      const rules = { field: "event", op: "atLeast", name: "raced", value: 1, where };
      return (await api.call("POST", "/segments/preview", { rules })).body.data.total;
    };
    expect([await found("constructor", "lotus"), await found("car.prototype", "72")]).toEqual([1, 1]);
    expect([await found("car.constructor", "lotus"), await found("prototype", "72")]).toEqual([0, 0]);
  });

  test("makes a PENDING contact of an unknown address, also of a suppressed one, and leaves the suppression", async () => {
    const before = await suppressions(api);
    await api.services.suppressions.add(api.workspaceId, "gone@example.com", "MANUAL");
    for (const email of ["new@example.com", "gone@example.com"]) {
      expect((await record({ name: "seen", email })).status).toBe(201);
      const [contact] = (await api.call("GET", `/contacts?q=${email}`)).body.data;
      expect([contact.status, contact.firstName, contact.tags]).toEqual(["PENDING", "", []]);
    }
    expect(await suppressions(api)).toEqual({ ...before, "gone@example.com": "MANUAL" });
  });

  test("leaves the status of a known contact alone", async () => {
    const { id } = await person(api, "linus@example.com", { status: "UNSUBSCRIBED" });
    await record({ name: "seen", email: "linus@example.com" });
    expect((await api.call("GET", `/contacts/${id}`)).body.data.status).toBe("UNSUBSCRIBED");
  });

  test("contactId wins over email, which is then not looked at; a stranger's is 404 and writes nothing", async () => {
    const grace = await person(api, "grace@example.org");
    const before = await total();
    expect((await record({ name: "seen", contactId: grace.id, email: "not an address" })).status).toBe(201);
    expect((await record({ name: "seen", contactId: "ct_nobody" })).status).toBe(404);
    const other = await api.services.workspaces.create("Other");
    const theirs = await api.call("POST", "/contacts", { email: "eve@example.com" }, other.key);
    expect((await record({ name: "seen", contactId: theirs.body.data.id })).status).toBe(404);
    expect((await api.call("GET", "/events", undefined, other.key)).body.pagination.total).toBe(0);
    expect(await total()).toBe(before + 1);
  });

  const ada = { name: "x", email: "ada@example.com" };
  const manyKeys = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 1]));
  test.each([
    ["an empty body", 400, ""],
    ["half an object", 400, "{"],
    ["an array", 422, "[]"],
    ["null", 422, "null"],
    ["a number", 422, "3"],
    ["no name", 422, { email: "ada@example.com" }],
    ["a name without a letter or digit", 422, { ...ada, name: "!!" }],
    ["a name that is no string", 422, { ...ada, name: 7 }],
    ["nobody", 422, { name: "x" }],
    ["an address that is none", 422, { name: "x", email: "nobody" }],
    ["properties that are no object", 422, { ...ada, properties: [] }],
    ["51 properties", 422, { ...ada, properties: manyKeys }],
    ["more than 8 KB of properties", 422, { ...ada, properties: { long: "é".repeat(5000) } }],
    ["a value in words", 422, { ...ada, value: "19.99" }],
    ["half a cent", 422, { ...ada, valueCents: 1.5 }],
    ["an infinite value", 422, '{"name":"x","email":"ada@example.com","value":1e400}'],
    ["an externalId that is an object", 422, { ...ada, externalId: {} }],
  ] as const)("with %s is %i, and nothing is recorded", async (_, status, body) => {
    const before = await total();
    const answer = await record(body);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(status === 400 ? "INVALID_JSON" : "VALIDATION_ERROR");
    expect(await total()).toBe(before);
  });
});

describe("an externalId", () => {
  test("is recorded once: the repeat shows its answer inside data and at the top, and makes no contact", async () => {
    const first = await record({ name: "paid", email: "ada@example.com", externalId: "inv-1" });
    const again = await record({ name: "other", email: "unseen@example.com", externalId: "inv-1" });
    const { id, createdAt } = first.body.data;
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ data: { id, duplicate: true, createdAt }, id, duplicate: true, createdAt });
    expect((await api.call("GET", "/contacts?q=unseen")).body.data).toEqual([]);
    expect((await record({ name: "paid", contactId: "ct_nobody", externalId: "inv-1" })).status).toBe(200);
    expect((await record({ name: "", contactId: "ct_nobody", externalId: "inv-1" })).status).toBe(422);
    expect(await total("&name=paid")).toBe(1);
  });

  test("counts per workspace, is cut to 200 characters, a number is its digits, an empty one is none", async () => {
    const other = await api.services.workspaces.create("Third");
    const body = { name: "cut", email: "ada@example.com" };
    const long = "x".repeat(200);
    expect((await record({ ...body, externalId: `${long}a` })).status).toBe(201);
    expect((await record({ ...body, externalId: `${long}b` })).status).toBe(200);
    expect((await record({ ...body, externalId: 42 })).status).toBe(201);
    expect((await record({ ...body, externalId: "42" })).status).toBe(200);
    for (const externalId of ["", "", null]) expect((await record({ ...body, externalId })).status).toBe(201);
    expect((await api.call("POST", "/events", { ...body, externalId: 42 }, other.key)).status).toBe(201);
  });

  // JSON.parse makes one number of these two, so the second would be a duplicate of an event that it is not.
  test("that is a long number keeps all its digits, by both routes, and is the same as a string", async () => {
    const raw = (path: string, body: string) =>
      fetch(`${api.url}/api/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${api.key}` },
        body,
      }).then(async (answer) => [answer.status, (await answer.json()) as any] as const);
    const event = (id: string): string => `{"name":"long","email":"ada@example.com","externalId":${id}}`;
    const ids = ["1234567890123456788", "1234567890123456789"];
    for (const id of ids) expect((await raw("/events", event(id)))[0]).toBe(201);
    for (const id of ids) expect((await raw("/events", event(`"${id}"`)))[0]).toBe(200);
    const more = [...ids, "1234567890123456790", "-1234567890123456790"];
    const [, { data }] = await raw("/events/bulk", `{"events":[${more.map(event).join()}]}`);
    expect([data.recorded, data.duplicates, data.failed]).toEqual([2, 2, 0]);
    const nested = `{"name":"long","email":"ada@example.com","properties":{"externalId":${ids[0]}}}`;
    expect((await raw("/events", nested))[0]).toBe(201);
    expect(await total("&name=long")).toBe(5);
  });

  test("of one that nobody has is free for the next, whoever comes at the same moment", async () => {
    const ada = await person(api, "free-id@example.com");
    const [refused, taken, again] = await Promise.all([
      record({ name: "signup", contactId: "ct_nobody", externalId: "free-1" }),
      record({ name: "signup", contactId: ada.id, externalId: "free-1" }),
      record({ name: "signup", contactId: ada.id, externalId: "free-1" }),
    ]);
    expect([taken.status, again.status].toSorted((a, b) => a - b)).toEqual([200, 201]);
    // Their connections decide who comes first. Behind the others it is a repetition.
    expect([200, 404]).toContain(refused.status);
    const idOf = ({ body }: typeof taken): string => body.data?.id ?? body.id;
    expect(idOf(again)).toBe(idOf(taken));
    expect(await total(`&contactId=${ada.id}`)).toBe(1);
  });

  test("sent 100 times at once is one event: one 201, all others the same duplicate", async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `race-${i}`);
    const answers = await Promise.all(
      ids.flatMap((externalId) =>
        Array.from({ length: 100 }, () =>
          record({ name: "raced", email: `${externalId}@example.com`, externalId }),
        ),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBe(ids.length);
    expect(answers.filter(({ status }) => status === 200).length).toBe(answers.length - ids.length);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(ids.length);
    expect(await total("&name=raced")).toBe(ids.length);
    expect((await api.call("GET", "/contacts?q=race-")).body.pagination.total).toBe(ids.length);
  });
});

describe("GET /events", () => {
  let alan: { id: string };
  beforeEach(async () => {
    alan = await person(api, "alan@example.com");
    for (const name of ["a b", "a b", "c"]) await record({ name, contactId: alan.id });
    await record({ name: "c", email: "ada@example.com" });
  });

  test("filters by exact stored name and contact, together too; totals agree with what is walked", async () => {
    const names = async (query: string) => (await recorded(query)).map(({ name }) => name);
    expect(await names(`&contactId=${alan.id}`)).toEqual(["c", "a_b", "a_b"]);
    expect(await names(`&contactId=${alan.id}&name=a_b`)).toEqual(["a_b", "a_b"]);
    expect(await names("&name=a b")).toEqual([]);
    expect(await names("&contactId=ct_nobody")).toEqual([]);
    for (const query of [`&contactId=${alan.id}`, `&contactId=${alan.id}&name=a_b`, "&name=c", ""])
      expect(await total(query)).toBe((await recorded(query)).length);
    const first = await api.call("GET", `/events?limit=2&contactId=${alan.id}`);
    const rest = await api.call(
      "GET",
      `/events?contactId=${alan.id}&after=${first.body.pagination.nextCursor}`,
    );
    expect(rest.body.data.map((event: any) => event.name)).toEqual(["a_b"]);
  });

  test("a deleted contact takes its events along, and the totals know", async () => {
    expect([await total(), await total("&name=c")]).toEqual([4, 2]);
    await api.call("DELETE", `/contacts/${alan.id}`);
    expect([await total(), await total("&name=c")]).toEqual([1, 1]);
    expect(await recorded(`&contactId=${alan.id}`)).toEqual([]);
  });
});

describe("a crowd of requests", () => {
  test("300 at once of one unknown address, by address and then by id, are all of one contact", async () => {
    const email = "crowd@example.com";
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => record({ name: i % 3 === 0 ? "crowd_a" : "crowd_b", email })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const found = (await api.call("GET", `/contacts?q=${email}`)).body.data;
    expect(found).toMatchObject([{ email, status: "PENDING" }]);
    const { id } = found[0];
    await Promise.all(Array.from({ length: 10 }, () => record({ name: "crowd_a", contactId: id })));
    expect(await total(`&contactId=${id}`)).toBe(310);
    expect([await total("&name=crowd_a"), await total(`&name=crowd_a&contactId=${id}`)]).toEqual([110, 110]);
    expect(await total("&name=crowd_b")).toBe(200);
  });
});
