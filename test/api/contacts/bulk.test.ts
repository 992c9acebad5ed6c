/** docs/contract.md "Many at once": contacts and events by the thousand. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { consentLog, contactOf, listOf, person, suppressions } from "../../support/people/people.ts";
import { refusing } from "../../support/storage/traps.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const bulk = (body: unknown) => api.call("POST", "/contacts/bulk", body);
const record = (body: unknown) => api.call("POST", "/events/bulk", body);
const total = async (path: string) => (await api.call("GET", `${path}limit=1`)).body.pagination.total;

describe("POST /contacts/bulk", () => {
  test("creates and updates in order, and tells of each what became of it", async () => {
    const ada = await person(api, "ada@bulk.example", { firstName: "Ada", tags: ["old"] });
    const { status, body } = await bulk({
      contacts: [
        { email: " New@Bulk.example ", firstName: "New" },
        { email: "ada@bulk.example", tags: ["vip"] },
        { email: "not an address" },
        { firstName: "Nobody" },
        { email: "x@bulk.example", consent: "maybe" },
        "text",
        { email: "new@bulk.example", lastName: "Twice" },
        { email: "y@bulk.example", first_name: "Y" },
      ],
    });
    expect(status).toBe(200);
    const { results, ...counts } = body.data;
    expect(counts).toEqual({ created: 1, updated: 2, failed: 5 });
    const fresh = await contactOf(api, "new@bulk.example");
    const failed = { id: null, outcome: "FAILED" };
    const refused = (says: string) => ({ code: "VALIDATION_ERROR", message: expect.stringContaining(says) });
    expect(results).toEqual([
      { index: 0, id: fresh.id, outcome: "CREATED", error: null },
      { index: 1, id: ada.id, outcome: "UPDATED", error: null },
      { index: 2, ...failed, error: refused("@") },
      { index: 3, ...failed, error: refused("`email` is required") },
      { index: 4, ...failed, error: refused("`consent`") },
      { index: 5, ...failed, error: refused("no JSON object") },
      { index: 6, id: fresh.id, outcome: "UPDATED", error: null },
      { index: 7, ...failed, error: refused("`firstName`") },
    ]);
    expect(fresh).toMatchObject({ firstName: "New", lastName: "Twice", status: "SUBSCRIBED" });
    expect(await contactOf(api, "ada@bulk.example")).toMatchObject({ firstName: "Ada", tags: ["vip"] });
    expect(await total("/contacts?q=bulk.example&")).toBe(2);
  });

  test("merges attributes, and a person beyond a limit does not stop the others", async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, 1]));
    const { body } = await bulk({
      contacts: [
        { email: "a@attributes.example", attributes: { city: "Bern", orders: 1 } },
        { email: "b@attributes.example", attributes: many },
        { email: "c@attributes.example", attributes: { "a b": 1 } },
        { email: "a@attributes.example", attributes: { orders: null, vip: true } },
      ],
    });
    expect(body.data.results.map(({ outcome }: any) => outcome)).toEqual([
      "CREATED",
      "FAILED",
      "FAILED",
      "UPDATED",
    ]);
    expect(body.data.results[1].error.message).toContain("at most 100");
    const shown = await api.call("GET", "/contacts?q=attributes.example&include=attributes");
    expect(shown.body.data.map(({ email, attributes }: any) => [email, attributes])).toEqual([
      ["a@attributes.example", { city: "Bern", vip: true }],
    ]);
  });

  test("keeps the rules of consent row by row: nobody who opted out comes back by a status", async () => {
    await person(api, "gone@consent.example", { consent: "declined" });
    await person(api, "dead@consent.example", { status: "BOUNCED" });
    const { body } = await bulk({
      contacts: [
        { email: "gone@consent.example", status: "SUBSCRIBED" },
        { email: "dead@consent.example", consent: "explicit" },
        { email: "leaves@consent.example", consent: "declined" },
        { email: "maybe@consent.example", status: "PENDING" },
        { email: "back@consent.example", status: "UNSUBSCRIBED" },
        { email: "back@consent.example", consent: "explicit" },
      ],
    });
    expect(body.data.failed).toBe(0);
    const status = async (name: string) => (await contactOf(api, `${name}@consent.example`)).status;
    expect([await status("gone"), await status("dead"), await status("leaves")]).toEqual([
      "UNSUBSCRIBED",
      "BOUNCED",
      "UNSUBSCRIBED",
    ]);
    expect([await status("maybe"), await status("back")]).toEqual(["PENDING", "SUBSCRIBED"]);
    expect(await suppressions(api)).toMatchObject({ "leaves@consent.example": "UNSUBSCRIBED" });
    const logged = await consentLog(api);
    expect(logged.filter((entry) => entry.includes("back@"))).toEqual(["GIVEN back@consent.example api"]);
  });

  test("keeps the order of a thousand: the later of two with one address wins, and the last is the newest", async () => {
    for (const round of [1, 2, 3]) {
      const name = (n: number): string => `order-${round}-${n}@order.example`;
      const twice = { email: name(0), firstName: "Later" };
      const contacts = Array.from({ length: 999 }, (_, n) => ({ email: name(n), firstName: "Earlier" }));
      await bulk({ contacts: [...contacts, twice] });
      expect((await contactOf(api, name(0))).firstName).toBe("Later");
      const newest = (await api.call("GET", "/contacts?limit=100")).body.data;
      const expected = Array.from({ length: 100 }, (_, n) => name(998 - n));
      expect(newest.map(({ email }: { email: string }) => email)).toEqual(expected);
    }
  });

  test("puts those on the list who may join one", async () => {
    await person(api, "out@list.example", { consent: "declined" });
    const listId = await listOf(api, "Readers", []);
    const contacts = ["in@list.example", "out@list.example", "pending@list.example"].map((email) => ({
      email,
      status: email.startsWith("pending") ? "PENDING" : "SUBSCRIBED",
    }));
    expect((await bulk({ contacts, listId })).body.data).toMatchObject({ created: 2, updated: 1 });
    const members = (await api.call("GET", `/lists/${listId}/contacts`)).body.data;
    expect(members.map(({ email }: any) => email).toSorted()).toEqual([
      "in@list.example",
      "pending@list.example",
    ]);
  });

  test("what cannot be written does not stop the others; where nobody can be, the call fails", async () => {
    const contacts = Array.from({ length: 250 }, (_, i) => ({ email: `luck${i}@fate.example` }));
    contacts[120] = { email: "cursed@fate.example" };
    const lift = await refusing(
      api,
      "BEFORE INSERT ON contacts",
      "cursed",
      "new.email = 'cursed@fate.example'",
    );
    const { status, body } = await bulk({ contacts });
    const none = await bulk({ contacts: contacts.slice(120, 121) });
    await lift();
    const written = await total("/contacts?q=fate.example&");
    expect(written).toBeGreaterThanOrEqual(100);
    expect([status, body.data.created, body.data.failed]).toEqual([200, written, 250 - written]);
    expect(body.data.results[120]).toMatchObject({ id: null, error: { code: "INTERNAL_ERROR" } });
    expect(body.data.results[0].outcome).toBe("CREATED");
    expect(body.data.results[249].outcome).toBe("CREATED");
    expect([none.status, none.body.error.code]).toEqual([500, "INTERNAL_ERROR"]);
    expect((await bulk({ contacts })).body.data).toMatchObject({ created: 250 - written, updated: written });
  });

  test("refuses a list that is not there, for nobody and for all", async () => {
    for (const contacts of [[{ email: "z@nolist.example" }], [{ email: "no address" }]])
      expect(await bulk({ contacts, listId: "list_none" })).toMatchObject({
        status: 404,
        body: { error: { code: "NOT_FOUND" } },
      });
    expect(await total("/contacts?q=nolist.example&")).toBe(0);
  });

  test("starts automations unless it is told not to", async () => {
    const automation = (await api.call("POST", "/automations", { name: "Welcome" })).body.data;
    await api.call("PATCH", `/automations/${automation.id}`, { status: "LIVE" });
    await bulk({ contacts: [{ email: "quiet@auto.example" }], startAutomations: false });
    await bulk({ contacts: [{ email: "loud@auto.example" }] });
    const loud = await contactOf(api, "loud@auto.example");
    let entered: any[] = [];
    while (entered.length === 0) {
      await nextLoopTurn();
      entered = (await api.call("GET", `/automations/${automation.id}/enrollments`)).body.data;
    }
    expect(entered.map(({ contactId }) => contactId)).toEqual([loud.id]);
  });

  test.each([
    ["no list of people", { contacts: {} }],
    ["none", { contacts: [] }],
    ["nothing", {}],
    ["no JSON", '{"contacts":[{"email":"a@b.example"},]}'],
    ["no object", '[{"email":"cut@off.example"}]'],
    [
      "more than 1,000",
      { contacts: Array.from({ length: 1_001 }, (_, i) => ({ email: `n${i}@off.example` })) },
    ],
    ["a flag that is none", { contacts: [{ email: "flag@off.example" }], startAutomations: "yes" }],
    ["the list twice", '{"contacts":[{"email":"a@off.example"}],"contacts":[{"email":"b@off.example"}]}'],
  ])("with %s is 422, and nobody is written", async (_, body) => {
    expect(await bulk(body)).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_ERROR" } } });
    expect(await total("/contacts?q=off.example&")).toBe(0);
  });

  test("takes 1,000 people with 50 tags each, far beyond what another body may hold", async () => {
    const tags = Array.from({ length: 50 }, (_, i) => `tag ${i} ${"x".repeat(80)}`);
    const contacts = Array.from({ length: 1_000 }, (_, i) => ({ email: `p${i}@many.example`, tags }));
    const body = JSON.stringify({ contacts, startAutomations: false });
    expect(body.length).toBeGreaterThan(4 * 1024 * 1024);
    const answer = await bulk(body);
    expect(answer.body.data).toMatchObject({ created: 1_000, failed: 0 });
    expect(answer.body.data.results.map(({ index }: any) => index)).toEqual([...Array(1_000).keys()]);
    expect((await bulk(body)).body.data).toMatchObject({ created: 0, updated: 1_000 });
    expect(await total("/contacts?q=many.example&")).toBe(1_000);
  });

  test("takes 16 MiB and no more", async () => {
    const whoever = { email: "big@size.example", ignored: "" };
    const empty = JSON.stringify({ contacts: [whoever] }).length;
    const whole = JSON.stringify({
      contacts: [{ ...whoever, ignored: "x".repeat(16 * 1024 * 1024 - empty) }],
    });
    const answer = (await bulk(whole)).body.data;
    expect(answer.results[0].error).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect((await bulk(`${whole} `)).status).toBe(413);
  });

  test("refuses an item that is too large to be read, and reads the others", async () => {
    const nested = { email: "deep@weight.example", x: JSON.parse(`${"[".repeat(101)}${"]".repeat(101)}`) };
    const wide = { email: "wide@weight.example", x: Array(100_001).fill(1) };
    const { body } = await bulk({ contacts: [nested, wide, { email: "fine@weight.example" }] });
    expect(body.data.results.map(({ outcome }: any) => outcome)).toEqual(["FAILED", "FAILED", "CREATED"]);
  });
});

describe("POST /events/bulk", () => {
  test("records in order; a known external id is a duplicate, within the call and beyond it", async () => {
    const ada = await person(api, "ada@events.example");
    const events = [
      { name: "orderPlaced", email: "ada@events.example", externalId: "o-1", value: 19.99, currency: "eur" },
      { name: "orderPlaced", contactId: ada.id, externalId: "o-1" },
      { name: "orderPlaced", email: "stranger@events.example" },
      { name: "orderPlaced", contactId: "ct_none" },
      { name: "", email: "ada@events.example" },
      { name: "orderPlaced" },
      7,
    ];
    const { status, body } = await record({ events });
    expect(status).toBe(200);
    const { results, ...counts } = body.data;
    expect(counts).toEqual({ recorded: 2, duplicates: 1, failed: 4 });
    const outcomes = results.map(({ outcome, error }: any) => [outcome, error?.code ?? null]);
    expect(outcomes).toEqual([
      ["RECORDED", null],
      ["DUPLICATE", null],
      ["RECORDED", null],
      ["FAILED", "NOT_FOUND"],
      ["FAILED", "VALIDATION_ERROR"],
      ["FAILED", "VALIDATION_ERROR"],
      ["FAILED", "VALIDATION_ERROR"],
    ]);
    expect(results[1].id).toBe(results[0].id);
    expect((await contactOf(api, "stranger@events.example")).status).toBe("PENDING");
    const again = (await record({ events: events.slice(0, 1) })).body.data;
    expect(again).toMatchObject({ recorded: 0, duplicates: 1, failed: 0, results: [{ id: results[0].id }] });
    const page = (await api.call("GET", "/events?name=order_placed")).body;
    expect(page.pagination.total).toBe(2);
    expect(page.data[1]).toMatchObject({ valueCents: 1999, currency: "EUR", contactId: ada.id });
  });

  test("1,000 with properties go in one call; as many again are duplicates", async () => {
    const events = Array.from({ length: 1_000 }, (_, i) => ({
      name: "seen",
      email: `seen${i % 10}@events.example`,
      externalId: `seen-${i}`,
      properties: Object.fromEntries(Array.from({ length: 20 }, (__, n) => [`p${n}`, "x".repeat(100)])),
    }));
    expect((await record({ events })).body.data).toMatchObject({ recorded: 1_000, duplicates: 0, failed: 0 });
    expect((await record({ events })).body.data).toMatchObject({ recorded: 0, duplicates: 1_000, failed: 0 });
    expect(await total("/events?name=seen&")).toBe(1_000);
  });

  test("takes 16 MiB and no more", async () => {
    const seen = { name: "big", email: "big@events.example", ignored: "" };
    const empty = JSON.stringify({ events: [seen] }).length;
    const whole = JSON.stringify({ events: [{ ...seen, ignored: "x".repeat(16 * 1024 * 1024 - empty) }] });
    expect((await record(whole)).body.data.results[0].error).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect((await record(`${whole} `)).status).toBe(413);
    expect(await total("/events?name=big&")).toBe(0);
  });

  test("one that cannot be written does not stop the others; where none can be, the call fails", async () => {
    const events = ["first", "cursed", "last"].map((name) => ({ name, email: "luck@events.example" }));
    const lift = await refusing(api, "BEFORE INSERT ON events", "cursed", "new.name = 'cursed'");
    const { status, body } = await record({ events });
    const none = await record({ events: events.slice(1, 2) });
    await lift();
    expect([status, body.data?.recorded, body.data?.failed]).toEqual([200, 2, 1]);
    expect(body.data.results[1]).toMatchObject({ id: null, error: { code: "INTERNAL_ERROR" } });
    const stored = (await api.call("GET", "/events?limit=2")).body.data.map(({ name }: any) => name);
    expect(stored.toSorted()).toEqual(["first", "last"]);
    expect([none.status, none.body.error.code]).toEqual([500, "INTERNAL_ERROR"]);
  });

  test.skipIf(needsSqlite("only with it the disk is the server's own"))(
    "where the disk runs full in the middle, each is told as what it is, and nothing is written later",
    async () => {
      const { sqlite } = api.services.database;
      const pagesOf = () =>
        sqlite.query<{ n: number }, []>("SELECT page_count AS n FROM pragma_page_count").get()!.n;
      // An event takes a page, and at most 512 share a commit: the first commit has room, all of them have not.
      sqlite.run(`PRAGMA max_page_count = ${pagesOf() + 750}`);
      const properties = { note: "x".repeat(3_000) };
      const events = Array.from({ length: 1_000 }, () => ({
        name: "full",
        email: "full@events.example",
        properties,
      }));
      const { status, body } = await record({ events });
      sqlite.run("PRAGMA max_page_count = 1073741823");
      const recorded = await total("/events?name=full&");
      expect(recorded).toBeGreaterThan(0);
      expect([status, body.data?.recorded, body.data?.failed]).toEqual([200, recorded, 1_000 - recorded]);
      const failed = body.data.results.find((result: any) => result.outcome === "FAILED");
      expect(failed.error.message).toContain("disk is full");
    },
  );

  test("of what stands beside the list it takes as much as of another body", async () => {
    const beside = (length: number) => `{"events":[],"x":"${"y".repeat(length)}"}`;
    const most = 4 * 1024 * 1024 - beside(0).length;
    expect((await record(beside(most))).status).toBe(422);
    expect((await record(beside(most + 1))).status).toBe(413);
  });

  test.each(["", "{", '{"events":[{"name":"x","email":"a@b.example"},]}', '{"events":[{]}'])(
    "that is not valid JSON (%s) is 400",
    async (body) => {
      expect(await record(body)).toMatchObject({ status: 400, body: { error: { code: "INVALID_JSON" } } });
      expect(await total("/events?name=x&")).toBe(0);
    },
  );

  test.each(["[]", "{}", '{"events":[]}', '{"events":7}'])("without events (%s) is 422", async (body) => {
    expect((await record(body)).status).toBe(422);
  });
});

test("a stranger's key writes and sees nothing of this workspace", async () => {
  const other = await api.services.workspaces.create("Neighbours");
  const listId = await listOf(api, "Ours", []);
  const contact = await person(api, "ours@isolation.example");
  const asOther = (path: string, body: unknown) => api.call("POST", path, body, other.key);
  const contacts = [{ email: "ours@isolation.example" }];
  expect((await asOther("/contacts/bulk", { contacts, listId })).status).toBe(404);
  const written = (await asOther("/contacts/bulk", { contacts })).body.data;
  expect(written).toMatchObject({ created: 1, updated: 0 });
  expect(written.results[0].id).not.toBe(contact.id);
  const events = [{ name: "peek", contactId: contact.id }];
  expect((await asOther("/events/bulk", { events })).body.data.results[0].error.code).toBe("NOT_FOUND");
});
