import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { person } from "../../support/people/people.ts";

const clock = manualClock();
let api: TestApi;
let ada: any;
let grace: any;
beforeAll(async () => {
  api = await startApi({ clock });
  ada = await person(api, "ada@example.com", { consent: "explicit" });
  grace = await person(api, "grace@example.com", { consent: "explicit" });
  await api.call("PATCH", `/contacts/${ada.id}`, { email: "lovelace@example.com" });
  await api.call("PATCH", `/contacts/${ada.id}`, { consent: "declined" });
  await api.services.contacts.optOut({
    workspaceId: api.workspaceId,
    address: "stranger@example.com",
    contactId: null,
    origin: {
      source: "unsubscribe",
      formId: null,
      clientAddress: "203.0.113.7",
      userAgent: "Browser",
      reason: "Too many",
    },
  });
});
afterAll(() => api.stop({ graceMs: 0 }));

const page = async (query = "") => (await api.call("GET", `/consents?${query}`)).body;
const brief = async (query = "") =>
  (await page(query)).data.map(({ action, email, source }: any) => `${action} ${email} ${source}`);

test("an entry has who, what, through what, when and from where, and nothing else", async () => {
  const [first, second] = (await page()).data;
  expect(first).toEqual({
    email: "stranger@example.com",
    contactId: null,
    action: "WITHDRAWN",
    source: "unsubscribe",
    at: new Date(clock.now()).toISOString(),
    formId: null,
    clientAddress: "203.0.113.7",
    userAgent: "Browser",
    reason: "Too many",
    listId: null,
  });
  expect(second).toMatchObject({ contactId: ada.id, action: "WITHDRAWN", source: "api", reason: null });
});

test("newest first, a page at a time, with the total", async () => {
  expect(await brief()).toEqual([
    "WITHDRAWN stranger@example.com unsubscribe",
    "WITHDRAWN lovelace@example.com api",
    "GIVEN grace@example.com api",
    "GIVEN ada@example.com api",
  ]);
  const { pagination } = await page("limit=3");
  expect(pagination).toMatchObject({ total: 4, limit: 3, hasMore: true });
  expect(await brief(`limit=3&after=${pagination.nextCursor}`)).toEqual(["GIVEN ada@example.com api"]);
});

test("`email` is the address at that time, however it is written; `contactId` finds all of a person's", async () => {
  expect(await brief("email=%20Ada@Example.com")).toEqual(["GIVEN ada@example.com api"]);
  expect(await brief(`contactId=${ada.id}`)).toEqual([
    "WITHDRAWN lovelace@example.com api",
    "GIVEN ada@example.com api",
  ]);
  expect(await brief(`contactId=${ada.id}&email=lovelace@example.com`)).toEqual([
    "WITHDRAWN lovelace@example.com api",
  ]);
  expect((await page(`contactId=${ada.id}&limit=1`)).pagination).toMatchObject({ total: 2, hasMore: true });
  expect((await page(`contactId=${ada.id}&email=grace@example.com`)).pagination.total).toBe(0);
  expect((await page("email=stranger@example.com")).pagination.total).toBe(1);
  expect((await page("contactId=nobody")).data).toEqual([]);
  expect((await page("email=&contactId=")).pagination.total).toBe(4);
});

test("an `email` that is no address is 422, and says why", async () => {
  const answer = await api.call("GET", "/consents?email=ada");
  expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining("@")]);
});

test("the log outlives its contact", async () => {
  await api.call("DELETE", `/contacts/${grace.id}`);
  expect(await brief(`contactId=${grace.id}`)).toEqual(["GIVEN grace@example.com api"]);
});

test("another workspace's log is not seen, by whatever filter", async () => {
  const other = await api.services.workspaces.create("Neighbours");
  for (const query of ["", "email=ada@example.com", `contactId=${ada.id}`]) {
    const { data, pagination } = (await api.call("GET", `/consents?${query}`, undefined, other.key)).body;
    expect([query, data, pagination.total]).toEqual([query, [], 0]);
  }
});
