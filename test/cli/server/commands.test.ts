import { afterEach, beforeEach, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { eventually } from "../../support/common/eventually.ts";
import { callApi, startApi, type TestApi } from "../../support/server/api.ts";
import { keyOf, postrider, startPostrider, temporaryDirectory } from "../../support/server/postrider.ts";
import { isPostgres, newPlace, openTestServices } from "../../support/server/services.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let service: TestApi;
let home: string;
let key: string;
let workspaceId: string;

/** A server of its own for every test, in this process. */
beforeEach(async () => {
  service = await startApi();
  ({ dataDir: home, key, workspaceId } = service);
});
afterEach(() => service.stop());

/** Runs a command that must succeed and reads its JSON, which is all it may print. */
async function json(...args: string[]): Promise<any> {
  const ended = await postrider(home, [...args, "--json"]);
  expect(ended).toMatchObject({ code: 0, err: "" });
  return JSON.parse(ended.out);
}

async function fails(...args: string[]): Promise<string> {
  const ended = await postrider(home, args);
  expect(ended).toMatchObject({ code: 1, out: "" });
  expect(ended.err.trimEnd().split("\n")).toHaveLength(1);
  return ended.err;
}

const api = (method: string, path: string, body?: unknown, withKey = key) =>
  callApi(`${service.url}/api/v1${path}`, method, withKey, body);

test("the key that the first start prints opens the workspace it prints", async () => {
  const { path, remove } = temporaryDirectory();
  const server = await startPostrider(path);
  const printedKey = keyOf(server);
  const [printedWorkspace] = /ws_\w+/.exec(server.out())!;
  const { status, body } = await callApi(`${server.url}/api/v1/lists`, "POST", printedKey, { name: "News" });
  expect([status, body.data.orgId]).toEqual([201, printedWorkspace]);
  expect(await server.end("SIGTERM")).toBe(0);
  remove();
});

test("key: created, usable at once, listed without the key, revoked at once", async () => {
  const created = await json("key", "create", "--name", "Signup page");
  expect(Object.keys(created)).toEqual(["id", "name", "key"]);
  expect(created.name).toBe("Signup page");
  expect(created.key).toMatch(/^pr_[\w-]{43}$/);
  expect((await api("GET", "/lists", undefined, created.key)).status).toBe(200);

  // A key's use is written after the request was answered.
  let [listed, first] = await json("key", "list");
  while (listed.lastUsedAt === null) [listed, first] = await json("key", "list");
  expect(listed).toEqual({
    id: created.id,
    name: "Signup page",
    prefix: created.key.slice(0, 10),
    createdAt: expect.stringMatching(ISO),
    lastUsedAt: expect.stringMatching(ISO),
    revokedAt: null,
  });
  expect(first.prefix).toBe(key.slice(0, 10));

  const revoked = await json("key", "revoke", created.id);
  expect(revoked).toEqual({ id: created.id, revokedAt: expect.stringMatching(ISO) });
  const statusNow = async () => (await api("GET", "/lists", undefined, created.key)).status;
  // Servers that share PostgreSQL hear of each other's changes within a second.
  if (isPostgres) await eventually(async () => (await statusNow()) === 401);
  expect(await statusNow()).toBe(401);
  expect(await json("key", "revoke", created.id)).toEqual(revoked);
  expect(await fails("key", "revoke", "key_unknown")).toContain("key_unknown");
});

test("key: a scope is what it may ask, and is listed for people", async () => {
  const created = await json("key", "create", "--name", "Shop", "--scope", "send");
  expect(Object.keys(created)).toEqual(["id", "name", "key", "scope"]);
  expect((await api("POST", "/events", { name: "signed_up" }, created.key)).status).toBe(422);
  expect((await api("GET", "/events", undefined, created.key)).status).toBe(403);
  const listed = (await postrider(home, ["key", "list"])).out;
  expect(listed).toMatch(/^ID +STARTS WITH +SCOPE/);
  expect(listed).toMatch(new RegExp(`${created.id} +pr_\\S+ +send `));
  const refused = await postrider(home, ["key", "create", "--scope", "admin"]);
  expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining("full, send, read") });
  await json("key", "revoke", created.id);
});

test("settings: all or none, read back, in effect at the server's next request", async () => {
  const campaign = await api("POST", "/campaigns", { name: "Hello", subject: "Hello", body: "<p>Hello</p>" });
  const send = async (): Promise<string> =>
    (await api("POST", `/campaigns/${campaign.body.data.id}/send`)).body.error.code;
  expect(await send()).toBe("VALIDATION_ERROR");
  expect(await json("settings", "set", "suspended=on", "timezone=europe/berlin")).toEqual({
    timezone: "Europe/Berlin",
    suspended: "on",
  });
  expect(await send()).toBe("FORBIDDEN");

  const refused = await postrider(home, ["settings", "set", "suspended=off", "dailyCap=lots"]);
  expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining("dailyCap must be") });
  expect(await json("settings", "get", "suspended")).toEqual({ suspended: "on" });
  expect(await json("settings", "set", "suspended=off")).toEqual({ suspended: "off" });
  expect(await json("settings", "get")).toMatchObject({
    name: "Default",
    timezone: "Europe/Berlin",
    dailyCap: "off",
  });
});

test("settings: a relay's password is not in the list for people", async () => {
  const url = "smtp://ada:love%40lace@mail.example.com:587 smtp://backup.example.com";
  const set = await postrider(home, ["settings", "set", `smtpUrl=${url}`]);
  expect(set).toMatchObject({
    code: 0,
    out: "smtpUrl  smtp://ada:***@mail.example.com:587 smtp://backup.example.com\n",
  });
  expect((await postrider(home, ["settings", "get"])).out).not.toContain("lace");
  expect((await postrider(home, ["settings", "get", "smtpUrl"])).out).toBe(`${url}\n`);
  const shown = "smtp://ada:***@mail.example.com:587 smtp://third.example.com";
  await json("settings", "set", `smtpUrl=${shown}`);
  expect((await postrider(home, ["settings", "get", "smtpUrl"])).out).toBe(
    "smtp://ada:love%40lace@mail.example.com:587 smtp://third.example.com\n",
  );
  const elsewhere = await postrider(home, ["settings", "set", "smtpUrl=smtp://ada:***@evil.example.org"]);
  expect(elsewhere).toMatchObject({ code: 2, out: "", err: expect.stringContaining("write the password") });
  expect(await json("settings", "set", "smtpUrl=")).toEqual({ smtpUrl: "" });
});

test("suppression: in effect at the server's next request, keeps the stronger reason, lifted again", async () => {
  const entry = await json("suppression", "add", " Ada@Example.com ", "--reason", "COMPLAINT");
  expect(entry).toEqual({
    email: "ada@example.com",
    reason: "COMPLAINT",
    createdAt: expect.stringMatching(ISO),
  });
  expect(await json("suppression", "add", "ada@example.com")).toEqual(entry);
  expect(await json("suppression", "list")).toEqual([entry]);
  expect((await postrider(home, ["suppression", "list"])).out).toMatch(/SOURCE\n.* admin *\n$/);
  expect((await api("POST", "/contacts", { email: "ada@example.com" })).body.data.status).toBe(
    "UNSUBSCRIBED",
  );
  expect(await json("suppression", "remove", "ada@example.com")).toEqual(entry);
  expect(await json("suppression", "list")).toEqual([]);
  expect(await fails("suppression", "remove", "ada@example.com")).toContain("not on the suppression list");
  expect((await postrider(home, ["suppression", "add", "ada"])).code).toBe(2);
});

test("blocked-domain: stored as an A-label, listed by name, removed", async () => {
  expect(await json("blocked-domain", "add", "Bücher.example")).toEqual({ domain: "xn--bcher-kva.example" });
  expect(await json("blocked-domain", "add", "acme.example")).toEqual({ domain: "acme.example" });
  expect(await json("blocked-domain", "list")).toEqual([
    { domain: "acme.example" },
    { domain: "xn--bcher-kva.example" },
  ]);
  expect(await json("blocked-domain", "remove", "Acme.example")).toEqual({ domain: "acme.example" });
  expect(await fails("blocked-domain", "remove", "acme.example")).toContain("is not blocked");
});

test("scoring: a negative number is a value, not a flag", async () => {
  const rules = [
    await json("scoring", "add", "--event", "returned", "--points", "-4"),
    await json("scoring", "add", "--points", "-4", "--event", "returned twice"),
    await json("scoring", "add", "--event", "sold", "--points=-5", "--min-value-cents", "1"),
  ];
  expect(rules.map(({ points }) => points)).toEqual([-4, -4, -5]);
  for (const { id } of rules) await json("scoring", "remove", id);
});

test("consent list: who agreed and who withdrew, newest first", async () => {
  const { data: grace } = (
    await api("POST", "/contacts", { email: "grace@example.com", consent: "explicit" })
  ).body;
  await api("PATCH", `/contacts/${grace.id}`, { consent: "declined" });
  const entry = {
    email: "grace@example.com",
    contactId: grace.id,
    source: "api",
    at: expect.stringMatching(ISO),
  };
  expect(await json("consent", "list")).toEqual([
    { ...entry, action: "WITHDRAWN" },
    { ...entry, action: "GIVEN" },
  ]);
});

test("consent list: shows the reason a reader gave for leaving, on one line whatever they wrote", async () => {
  const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
  const { contacts, close } = await openTestServices(await newPlace(home), home, world);
  const address = "linus@example.com";
  const origin = { source: "unsubscribe", formId: null, clientAddress: null, userAgent: null } as const;
  const reason = "Too many mails\r\n\u001b[2J\u202egnihton";
  await contacts.optOut({ workspaceId, address, contactId: null, origin: { ...origin, reason } });
  await contacts.optOut({ workspaceId, address: "mute@example.com", contactId: null, origin });
  await close();

  const [without, withReason] = await json("consent", "list");
  const entry = { contactId: "", action: "WITHDRAWN", source: "unsubscribe", at: expect.stringMatching(ISO) };
  expect(without).toEqual({ ...entry, email: "mute@example.com" });
  expect(Object.keys(without)).not.toContain("reason");
  expect(withReason).toEqual({ ...entry, email: address, reason });

  const { out } = await postrider(home, ["consent", "list"]);
  const [titles, muteLine, linusLine] = out.split("\n");
  expect(titles).toMatch(/^AT +ACTION +SOURCE +EMAIL +REASON$/);
  expect(muteLine).toEndWith("mute@example.com");
  expect(linusLine).toMatch(/linus@example\.com +Too many mails \[2J gnihton$/);
});

test.each([
  ["campaign", "/campaigns", { name: "Hi", subject: "Hi", body: "<p>Hi</p>" }],
  ["automation", "/automations", { name: "Hi" }],
  ["form", "/forms", { name: "Hi" }],
])("%s release: says when there is nothing to release", async (what, path, body) => {
  const { data } = (await api("POST", path, body)).body;
  expect(await fails(what, "release", data.id)).toContain("nothing to release");
  expect(await fails(what, "release", `${what}_unknown`)).toContain("was not found");
});

test("workspace: created with a key that works at once; with two of them a command asks which", async () => {
  await api("POST", "/lists", { name: "Newsletter" });
  await api("POST", "/contacts", { email: "ada@example.com", consent: "declined" });
  await api("POST", "/contacts", { email: "grace@example.com" });
  await api("POST", "/campaigns", { name: "Hello", subject: "Hello", body: "<p>Hello</p>" });
  const shown = await json("workspace", "show");
  expect(shown).toEqual({
    id: workspaceId,
    name: "Default",
    createdAt: expect.stringMatching(ISO),
    contacts: { PENDING: 0, SUBSCRIBED: 1, UNSUBSCRIBED: 1, BOUNCED: 0 },
    lists: 1,
    campaigns: 1,
  });
  const second = await json("workspace", "create", "--name", "Second");
  expect(Object.keys(second)).toEqual(["id", "name", "key"]);
  expect((await api("GET", "/lists", undefined, second.key)).body.pagination.total).toBe(0);
  expect(await json("workspace", "list")).toEqual([
    { id: workspaceId, name: "Default", createdAt: shown.createdAt },
    { id: second.id, name: "Second", createdAt: expect.stringMatching(ISO) },
  ]);
  expect(await postrider(home, ["key", "list"])).toEqual({
    code: 2,
    out: "",
    err: expect.stringContaining("there are 2 workspaces: pick one with --workspace ID"),
  });
  expect(await fails("key", "list", "--workspace", "ws_unknown")).toContain("ws_unknown");
  expect(await json("key", "list", "--workspace", second.id)).toHaveLength(1);
});

test("tables for people are aligned and have titles", async () => {
  await json("workspace", "create", "--name", "Second");
  const { out } = await postrider(home, ["workspace", "list"]);
  const [titles, ...rows] = out.trimEnd().split("\n");
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row.search(/Default|Second/)).toBe(titles!.indexOf("NAME"));
});
