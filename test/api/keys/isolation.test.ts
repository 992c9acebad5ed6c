import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Route } from "#http/routes/route.ts";
import { callApi, inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { newCampaign } from "../../support/sending/campaigns.ts";
import { png, uploadImage } from "../../support/server/images.ts";
import { upload } from "../../support/people/imports.ts";
import { consentLog, listOf, person, suppressions } from "../../support/people/people.ts";

/** Two workspaces with the same people and lists; what one does, the other never sees. */
let server: TestApi;
let api: TestApi;
let other: { id: string; key: string };
let ada: any;
let list: string;

beforeAll(async () => {
  server = await startApi();
});
beforeEach(async () => {
  api = await inNewWorkspace(server);
  other = await api.services.workspaces.create("Neighbours");
  ada = await person(api, "ada@example.com", { firstName: "Ada", tags: ["vip"] });
  list = await listOf(api, "Mathematicians", [ada.id]);
});
afterAll(() => server.stop());

const asOther = (method: string, path: string, body?: unknown) => api.call(method, path, body, other.key);

test("lists, totals, filters and searches show nothing of another workspace", async () => {
  for (const path of [
    "/contacts",
    "/contacts?q=ada",
    "/contacts?q=a",
    "/contacts?tag=vip",
    "/contacts?status=SUBSCRIBED",
    "/lists",
    "/lists?q=math",
    "/suppressions",
    "/suppressions?q=example",
    "/suppressions?reason=COMPLAINT",
    "/blocked-domains",
    "/consents",
    "/consents?email=ada@example.com",
  ]) {
    const { data, pagination } = (await asOther("GET", path)).body;
    expect([path, data, pagination.total]).toEqual([path, [], 0]);
  }
});

test("the same address is a contact of its own in each; opting out of one says nothing to the other", async () => {
  const twin = await asOther("POST", "/contacts", { email: "ada@example.com", consent: "declined" });
  expect([twin.status, twin.body.data.id === ada.id]).toEqual([201, false]);
  expect((await api.call("GET", `/contacts/${ada.id}`)).body.data).toEqual(ada);
  expect(await suppressions(api)).toEqual({});
  expect(await consentLog(api)).toEqual([]);
  expect(await suppressions(api, other.id)).toEqual({ "ada@example.com": "UNSUBSCRIBED" });
  const moved = await asOther("POST", "/contacts", { email: "grace@example.com" });
  expect((await api.call("PATCH", `/contacts/${ada.id}`, { email: "grace@example.com" })).status).toBe(200);
  expect((await asOther("GET", `/contacts/${moved.body.data.id}`)).body.data.email).toBe("grace@example.com");
  await api.call("PATCH", `/contacts/${ada.id}`, { email: "ada@example.com" });
});

test("an attribute of one workspace is none in another, and cannot be taken off from there", async () => {
  await api.call("PATCH", `/contacts/${ada.id}`, { attributes: { city: "London" } });
  const before = (await api.call("GET", `/contacts/${ada.id}?include=attributes`)).body;
  expect((await asOther("GET", "/attributes")).body).toEqual({ data: [] });
  const [foreign, missing] = [
    await asOther("DELETE", "/attributes/city"),
    await asOther("DELETE", "/attributes/none"),
  ];
  expect([foreign.status, missing.status]).toEqual([404, 404]);
  expect(JSON.stringify(foreign.body).replace("city", "none")).toBe(JSON.stringify(missing.body));
  expect((await api.call("GET", `/contacts/${ada.id}?include=attributes`)).body).toEqual(before);
  await api.call("PATCH", `/contacts/${ada.id}`, { attributes: { city: null } });
});

test("a suppression and a blocked domain of one workspace are none in another", async () => {
  const { suppressions: service } = api.services;
  await service.add(api.workspaceId, "linus@example.com", "COMPLAINT");
  await service.blockDomain(api.workspaceId, "blocked.example");
  expect(await service.find(other.id, "linus@example.com")).toBeNull();
  expect(await service.remove(other.id, "linus@example.com")).toBe(false);
  expect(await service.blockedDomains(other.id)).toEqual([]);
  expect(await service.unblockDomain(other.id, "blocked.example")).toBe(false);
  expect((await asOther("POST", "/contacts", { email: "linus@example.com" })).body.data.status).toBe(
    "SUBSCRIBED",
  );
});

describe("a resource of another workspace answers like a missing one", () => {
  const BODIES: Record<string, unknown> = {
    name: "Stolen",
    firstName: "Stolen",
    contactId: "x",
    consent: "declined",
  };

  test("byte for byte but for the id, on every route with an id in its path", async () => {
    const campaign = await newCampaign(api, { listId: list });
    const key = (await api.call("POST", "/keys", { name: "Ours" })).body.data;
    await api.call("POST", "/suppressions", { email: "ours@example.com" });
    await api.call("POST", "/blocked-domains", { domain: "ours.example" });
    const rule = (await api.call("POST", "/scoring-rules", { event: "ours", points: 1 })).body.data;
    const segment = (
      await api.call("POST", "/segments", {
        name: "Ours",
        rules: { field: "tag", op: "equals", value: "vip" },
      })
    ).body.data;
    const letter = { name: "Ours", subject: "Hello", body: "<p>Hello</p>" };
    const template = (await api.call("POST", "/templates", letter)).body.data;
    const image = (await uploadImage(api, png())).body.data;
    const listening = { url: "https://example.com/hook", events: ["contact.created"] };
    const webhook = (await api.call("POST", "/webhooks", listening)).body.data;
    const invited = { email: "ours@example.com", role: "viewer" };
    const user = (await api.call("POST", "/users", invited)).body.data;
    const ids: Record<string, string> = {
      users: user.id,
      media: image.id,
      webhooks: webhook.id,
      templates: template.id,
      "scoring-rules": rule.id,
      contacts: ada.id,
      lists: list,
      campaigns: campaign.id,
      segments: segment.id,
      keys: key.id,
      suppressions: "ours@example.com",
      "blocked-domains": "ours.example",
    };
    const before = [await whole(), await suppressions(api), await consentLog(api)];
    let compared = 0;
    for (const route of api.routes) {
      const foreign = ids[route.path.split("/")[1]!];
      if (!route.path.includes(":") || foreign === undefined) continue;
      expect(await answerOf(route, foreign)).toEqual(await answerOf(route, "missing"));
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(24);
    expect([await whole(), await suppressions(api), await consentLog(api)]).toEqual(before as never);
  });

  const whole = async () => [
    (await api.call("GET", "/contacts")).body,
    (await api.call("GET", "/lists")).body,
    (await api.call("GET", "/campaigns")).body,
    (await api.call("GET", "/segments")).body,
    (await api.call("GET", "/templates")).body,
    (await api.call("GET", "/media")).body,
    (await api.call("GET", "/webhooks")).body,
    (await api.call("GET", `/lists/${list}/contacts`)).body,
    (await api.call("GET", "/suppressions")).body,
    (await api.call("GET", "/blocked-domains")).body,
    (await api.call("GET", "/scoring-rules")).body,
    (await api.call("GET", "/users")).body,
    (await api.call("GET", "/audit")).body,
    (await api.call("GET", "/keys")).body.data.map(({ revokedAt }: any) => revokedAt),
  ];

  /** The answer's status, body and headers, with the id taken out. */
  async function answerOf(route: Route, id: string): Promise<unknown> {
    const path = route.path.replace(":contactId", "somebody").replace(/:\w+/, encodeURIComponent(id));
    const body = route.body ? BODIES : undefined;
    const answer = await callApi(`${api.url}/api/v1${path}`, route.method, other.key, body);
    expect(answer.status).toBe(404);
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !["x-request-id", "date", "content-length"].includes(name)),
    );
    return [answer.status, JSON.stringify(answer.body).replaceAll(id, "ID"), headers];
  }

  test("as a member: neither added nor removed, and 404", async () => {
    const theirs = (await asOther("POST", "/lists", { name: "Theirs" })).body.data.id;
    const answer = await asOther("POST", `/lists/${theirs}/contacts`, { contactIds: [ada.id] });
    const missing = await asOther("POST", `/lists/${theirs}/contacts`, { contactIds: ["missing"] });
    expect(answer.status).toBe(404);
    expect(JSON.stringify(answer.body).replace(ada.id, "missing")).toBe(JSON.stringify(missing.body));
    expect((await asOther("DELETE", `/lists/${theirs}/contacts/${ada.id}`)).status).toBe(404);
    expect((await asOther("DELETE", `/lists/${list}/contacts/${ada.id}`)).status).toBe(404);
    expect((await asOther("GET", `/lists/${theirs}`)).body.data.contactCount).toBe(0);
    expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(1);
  });

  test("as the list of a bulk call or an import: nobody is written, and 404", async () => {
    const contacts = [{ email: "bulk@example.com" }];
    const file = "email\nimport@example.com\n";
    const answers = async (listId: string, own: string[]) => [
      await asOther("POST", "/contacts/bulk", { contacts, listId }),
      await upload(api, "/imports", file, { status: "PENDING", listIds: [...own, listId] }, other.key),
    ];
    const theirs = (await asOther("POST", "/lists", { name: "Theirs" })).body.data.id;
    const foreign = await answers(list, [theirs]);
    const missing = await answers("missing", [theirs]);
    expect(foreign.map(({ status }) => status)).toEqual([404, 404]);
    expect(foreign.map(({ body }) => JSON.stringify(body).replaceAll(list, "missing"))).toEqual(
      missing.map(({ body }) => JSON.stringify(body)),
    );
    for (const path of ["/contacts", "/imports", `/lists/${theirs}/contacts`])
      expect([path, (await asOther("GET", path)).body.pagination.total]).toEqual([path, 0]);
    expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(1);
  });

  test("as the list or the segment of an export: the file of nobody", async () => {
    const rules = { field: "tag", op: "equals", value: "vip" };
    const segment = (await api.call("POST", "/segments", { name: "VIP", rules })).body.data.id;
    await asOther("POST", "/contacts", { email: "own@example.com", tags: ["vip"] });
    const exported = async (query: string, key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${api.url}/api/v1/exports/contacts?${query}`, { headers });
      return [answer.status, await answer.text()] as const;
    };
    for (const [name, id] of [
      ["listId", list],
      ["segmentId", segment],
    ] as const) {
      expect((await exported(`${name}=${id}`, api.key))[1]).toContain("ada@example.com");
      const foreign = await exported(`${name}=${id}`, other.key);
      expect([name, foreign]).toEqual([name, await exported(`${name}=missing`, other.key)]);
      expect(foreign[1]).not.toContain("@");
    }
  });

  test("as the template of a message: nothing is sent, and 404", async () => {
    const letter = { name: "Ours", subject: "Hello", body: "<p>Hello</p>" };
    const { id } = (await api.call("POST", "/templates", letter)).body.data;
    const answers = [id, "missing"].map((templateId) =>
      asOther("POST", "/send", { to: "ada@example.com", templateId }),
    );
    const [foreign, missing] = await Promise.all(answers);
    expect([foreign!.status, missing!.status]).toEqual([404, 404]);
    expect(JSON.stringify(foreign!.body).replace(id, "missing")).toBe(JSON.stringify(missing!.body));
  });

  test("one foreign id among a hundred own adds nobody, and the message names only that one", async () => {
    const theirs = (await asOther("POST", "/lists", { name: "Hundred" })).body.data.id;
    const own: string[] = await Promise.all(
      Array.from(
        { length: 100 },
        async (_, i) => (await asOther("POST", "/contacts", { email: `own${i}@example.com` })).body.data.id,
      ),
    );
    const answer = await asOther("POST", `/lists/${theirs}/contacts`, { contactIds: [...own, ada.id] });
    expect(answer.status).toBe(404);
    expect(answer.body.error.message).toContain(ada.id);
    expect(own.some((id) => answer.body.error.message.includes(id))).toBe(false);
    expect((await asOther("GET", `/lists/${theirs}/contacts`)).body.pagination.total).toBe(0);
  });
});
