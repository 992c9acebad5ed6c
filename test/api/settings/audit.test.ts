/** Who did what (docs/contract.md "Who did what"). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { RECORDED } from "#audit/recorded.ts";
import { DAY_MS } from "#core/time/time.ts";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { upload } from "../../support/people/imports.ts";
import { listOf, person } from "../../support/people/people.ts";
import { asked, joins, PASSWORD, signedIn } from "../../support/server/signed-in.ts";
import { rowsFrom } from "../../support/server/services.ts";
import { refuseWrites } from "../../support/server/refused-writes.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop({ graceMs: 0 }));

/** The log of a workspace, newest first, each entry as `who what target`. */
async function log({ call }: Pick<TestApi, "call">, query = ""): Promise<string[]> {
  const { data } = (await call("GET", `/audit?limit=100${query}`)).body;
  return data.map(
    ({ who, what, target }: Record<string, string | null>) => `${who} ${what} ${target ?? "-"}`,
  );
}

test("tells of deletions, settings, keys and people: who, what, to what, and when", async () => {
  const own = await inNewWorkspace(api);
  const ada = await signedIn(api, "owner", { workspaceId: own.workspaceId, email: "ada@example.com" });
  const contact = await person(own, "reader@example.com");
  const list = await listOf(own, "Readers", [contact.id]);
  await ada.call("DELETE", `/lists/${list}/contacts/${contact.id}`);
  await ada.call("DELETE", `/lists/${list}`);
  await own.call("DELETE", `/contacts/${contact.id}`);
  await ada.call("PATCH", "/settings", { fromName: "Ada", timezone: "Europe/Berlin" });
  const [second, third] = [await person(own, "two@example.com"), await person(own, "three@example.com")];
  const contactIds = [second.id, third.id];
  await ada.call("POST", "/contacts/actions", { action: "addTag", tag: "vip", contactIds });
  await ada.call("POST", "/contacts/actions", { action: "delete", contactIds });
  const key = (await ada.call("POST", "/keys", { name: "Shop" })).body.data;
  await own.call("DELETE", `/keys/${key.id}`, undefined, key.key);
  const grace = (await ada.call("POST", "/users", { email: "grace@example.com", role: "viewer" })).body.data;
  await ada.call("PATCH", `/users/${grace.id}`, { role: "editor" });
  await ada.call("DELETE", `/users/${grace.id}`);
  expect(await log(own)).toEqual([
    "ada@example.com person_removed grace@example.com",
    "ada@example.com role_changed grace@example.com",
    "ada@example.com person_invited grace@example.com",
    `key Shop key_revoked ${key.id}`,
    `ada@example.com key_created ${key.id}`,
    `ada@example.com contacts_deleted ${second.id}, ${third.id}`,
    "ada@example.com settings_changed fromName, timezone",
    `key First key contact_deleted ${contact.id}`,
    `ada@example.com list_deleted ${list}`,
    `ada@example.com list_contact_removed ${contact.id}`,
    "ada@example.com sign_in -",
  ]);
  const { data, pagination } = (await own.call("GET", "/audit?limit=1")).body;
  expect(data[0].at).toBe(new Date(clock.now()).toISOString());
  expect(pagination).toEqual({ total: 11, limit: 1, hasMore: true, nextCursor: expect.any(String) });
  expect(await log(own, "&what=key_created")).toEqual([`ada@example.com key_created ${key.id}`]);
  expect((await own.call("GET", "/audit?what=key_created")).body.pagination.total).toBe(1);
  expect((await own.call("GET", "/audit?what=nothing")).body.pagination.total).toBe(0);
  expect((await own.call("GET", "/audit?actor=ada")).status).toBe(422);
});

test("tells of sends, schedules, exports and imports", async () => {
  const own = await inNewWorkspace(api);
  await own.services.workspaces.changeSettings(own.workspaceId, { fromEmail: "news@example.com" });
  const listId = await listOf(own, "Readers");
  const letter = { name: "One", subject: "One", body: "<p>Hello</p>", listId };
  const campaign = (await own.call("POST", "/campaigns", letter)).body.data.id;
  const path = `/campaigns/${campaign}`;
  const scheduledAt = new Date(clock.now() + DAY_MS).toISOString();
  expect((await own.call("POST", `${path}/schedule`, { scheduledAt })).status).toBe(200);
  expect((await own.call("DELETE", `${path}/schedule`)).status).toBe(200);
  expect((await own.call("GET", "/exports/contacts")).status).toBe(200);
  expect((await own.call("DELETE", path)).status).toBe(204);
  const file = "email\nnew@example.com\n";
  const imported = await upload(own, "/imports", file, { status: "PENDING" }, own.key);
  expect(imported.status).toBe(202);
  expect(await log(own)).toEqual([
    `key First key import_started ${imported.body.data.id}`,
    `key First key campaign_deleted ${campaign}`,
    "key First key contacts_exported -",
    `key First key campaign_unscheduled ${campaign}`,
    `key First key campaign_scheduled ${campaign}`,
  ]);
});

test("with include=names says what each target is called now; what is gone and what has no name is null", async () => {
  const own = await inNewWorkspace(api);
  await own.services.workspaces.changeSettings(own.workspaceId, { fromEmail: "news@example.com" });
  const contact = await person(own, "reader@example.com");
  const gone = await person(own, "gone@example.com");
  const listId = await listOf(own, "Readers", [contact.id]);
  await own.call("DELETE", `/lists/${listId}/contacts/${contact.id}`);
  await own.call("DELETE", `/contacts/${gone.id}`);
  const letter = { name: "One", subject: "One", body: "<p>Hello</p>", listId };
  const campaign = (await own.call("POST", "/campaigns", letter)).body.data.id;
  const scheduledAt = new Date(clock.now() + DAY_MS).toISOString();
  await own.call("POST", `/campaigns/${campaign}/schedule`, { scheduledAt });
  const imported = await upload(own, "/imports", "email\nnew@example.com\n", { status: "PENDING" }, own.key);
  expect(imported.status).toBe(202);
  const url = "https://hooks.example.com/shop";
  expect((await own.call("POST", "/webhooks", { url, events: ["*"] })).status).toBe(201);
  await own.call("GET", "/exports/contacts");
  const named = (await own.call("GET", "/audit?include=names")).body.data;
  expect(named.map(({ what, name }: Record<string, string | null>) => [what, name])).toEqual([
    ["contacts_exported", null],
    ["webhook_created", url],
    ["import_started", "people.csv"],
    ["campaign_scheduled", "One"],
    ["contact_deleted", null],
    ["list_contact_removed", "reader@example.com"],
  ]);
  expect((await own.call("GET", "/audit")).body.data[0]).not.toHaveProperty("name");
  expect((await own.call("GET", "/audit?include=people")).status).toBe(422);
  const other = await inNewWorkspace(api);
  const elsewhere = await person(other, "reader@example.com");
  await other.call("DELETE", `/contacts/${contact.id}`);
  await other.call("DELETE", `/contacts/${elsewhere.id}`);
  const { data } = (await other.call("GET", "/audit?include=names")).body;
  expect(data.map(({ name }: { name: string | null }) => name)).toEqual([null]);
});

test("does not tell of what was refused, of reading, or of what anybody can look at", async () => {
  const own = await inNewWorkspace(api);
  const viewer = await signedIn(api, "viewer", { workspaceId: own.workspaceId });
  const before = await log(own);
  const contact = await person(own, "reader@example.com");
  await viewer.call("DELETE", `/contacts/${contact.id}`);
  await own.call("DELETE", "/contacts/nobody");
  await own.call("PATCH", "/settings", { timezone: "Nowhere/Land" });
  await own.call("POST", "/keys", { name: "x".repeat(300) });
  await own.call("GET", "/contacts");
  await own.call("POST", "/lists", { name: "Readers" });
  expect(await log(own)).toEqual(before);
});

test("a HEAD request of an export, which sends nothing, is not told of", async () => {
  const own = await inNewWorkspace(api);
  expect((await own.call("HEAD", "/exports/contacts")).status).toBe(200);
  expect(await log(own)).toEqual([]);
});

test("an entry and what it tells of are one transaction", async () => {
  const own = await inNewWorkspace(api);
  const contact = await person(own, "reader@example.com");
  const end = await refuseWrites(api, "audit");
  expect((await own.call("DELETE", `/contacts/${contact.id}`)).status).toBe(500);
  await end();
  expect((await own.call("GET", `/contacts/${contact.id}`)).status).toBe(200);
  expect(await log(own)).toEqual([]);
});

describe("signing in", () => {
  test("is told in every workspace that the person may enter, and in no other", async () => {
    const [first, second, third] = [
      await inNewWorkspace(api),
      await inNewWorkspace(api),
      await inNewWorkspace(api),
    ];
    const ada = await signedIn(api, "owner", { workspaceId: first.workspaceId, email: "two@example.com" });
    await joins(api, second.workspaceId, ada, "viewer");
    await asked(api, "POST", "/session", { email: ada.email, password: "wrong password" });
    await asked(api, "POST", "/session", { email: ada.email, password: PASSWORD });
    await ada.call("POST", "/password", { current: PASSWORD, password: "other quiet lamps" });
    const told = [
      "two@example.com password_changed -",
      "two@example.com sign_in -",
      "two@example.com sign_in_failed -",
    ];
    expect(await log(first)).toEqual([...told, "two@example.com joined -", "two@example.com sign_in -"]);
    expect(await log(second)).toEqual([...told, `${ada.email} joined -`]);
    expect(await log(third)).toEqual([]);
  });

  test("with an address that nobody has is told to no workspace, and kept all the same", async () => {
    const own = await inNewWorkspace(api);
    await asked(api, "POST", "/session", { email: "stranger@example.com", password: "wrong password" });
    expect(await log(own)).toEqual([]);
    expect(rowsFrom(api, "SELECT workspace, who, what FROM audit ORDER BY seq DESC LIMIT 1")).toEqual([
      { workspace: null, who: "stranger@example.com", what: "sign_in_failed" },
    ]);
  });
});

test("is kept for a year", async () => {
  const own = await inNewWorkspace(api);
  await own.call("PATCH", "/settings", { fromName: "Before" });
  clock.advance(364 * DAY_MS);
  await own.call("PATCH", "/settings", { fromName: "After" });
  expect((await log(own)).length).toBe(2);
  // With every entry up to twenty old ones go, of all workspaces.
  clock.advance(2 * DAY_MS);
  for (let i = 0; i < 5; i++) await own.call("PATCH", "/settings", { fromName: `Later ${i}` });
  expect((await own.call("GET", "/audit")).body.pagination.total).toBe(6);
});

test("what was so already is no news; what changes is told once", async () => {
  const own = await inNewWorkspace(api);
  const { id: webhook } = (
    await own.call("POST", "/webhooks", { url: "https://shop.example.org/hook", events: ["*"] })
  ).body.data;
  const { id: key } = (await own.call("POST", "/keys", {})).body.data;
  const told = async () => (await own.call("GET", "/audit?limit=100")).body.data.map(({ what }: any) => what);
  const before = (await told()).length;
  const twice: [method: string, path: string, body?: object][] = [
    ["POST", "/blocked-domains", { domain: "blocked.example" }],
    ["POST", "/suppressions", { email: "ada@example.com" }],
    ["PATCH", "/settings", { fromName: "Ada" }],
    ["PATCH", `/webhooks/${webhook}`, { events: ["form.submitted"] }],
    ["DELETE", `/keys/${key}`],
  ];
  for (const [method, path, body] of [...twice, ...twice])
    expect((await own.call(method, path, body)).status).toBeWithin(200, 300);
  await own.call("PATCH", "/settings", {});
  await own.call("POST", "/suppressions", { email: "ada@example.com", reason: "UNSUBSCRIBED" });
  expect((await told()).slice(0, -before || undefined)).toEqual([
    "key_revoked",
    "webhook_changed",
    "settings_changed",
    "address_suppressed",
    "domain_blocked",
  ]);
});

/** What changes something, is no reading, and is not told: it can be looked at, or is too frequent. */
const NOT_RECORDED = [
  "PATCH /campaigns/:id",
  "PATCH /campaigns/:id/options",
  "PATCH /contacts/:id",
  "PATCH /forms/:id",
  "PATCH /lists/:id",
  "PATCH /lists/:id/options",
  "PATCH /segments/:id",
  "PATCH /templates/:id",
  "POST /automations",
  "POST /automations/:id/preview",
  "POST /automations/:id/simulate",
  "POST /campaigns",
  "POST /campaigns/:id/check",
  "POST /campaigns/:id/duplicate",
  "POST /campaigns/:id/preview",
  "POST /contacts",
  "POST /contacts/bulk",
  "POST /contacts/search",
  "POST /events",
  "POST /events/bulk",
  "POST /forms",
  "POST /imports/preview",
  "POST /forms/:id/preview",
  "POST /letters/preview",
  "POST /lists",
  "POST /lists/:id/contacts",
  "POST /media",
  "POST /scoring-rules",
  "POST /segments",
  "POST /segments/preview",
  "POST /send",
  "POST /templates",
  "POST /templates/:id/render",
  "POST /webhooks/:id/deliveries/:deliveryId/replay",
  "POST /webhooks/:id/test",
];

test("every route of a workspace that changes something is told of, or known not to be", () => {
  const changing = api.routes
    .filter(({ method, access = "workspace" }) => method !== "GET" && access === "workspace")
    .map(({ method, path }) => `${method} ${path}`);
  const told = Object.keys(RECORDED).filter((name) => !name.startsWith("GET "));
  expect(changing.toSorted()).toEqual([...told, ...NOT_RECORDED].toSorted());
});
