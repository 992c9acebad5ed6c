/** Everything the reference shows to be copied is run as it is shown, against a real server. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { apiDocument } from "#app/http.ts";
import { signWebhook } from "#webhooks/calls/signature.ts";
import { guidesOf } from "#http/openapi/guides.ts";
import { curlExample } from "#pages/reference/examples/curl.ts";
import { javascriptExample } from "#pages/reference/examples/javascript.ts";
import { exampleRequest } from "#pages/reference/examples/request.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { passkeyOf } from "../../support/server/authenticator.ts";
import { unlockedBackup } from "../../support/server/backups.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";
import { png, uploadImage } from "../../support/server/images.ts";
import { upload } from "../../support/people/imports.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { signIn, type Person } from "../../support/server/signed-in.ts";
import { makeAudience, SENDER } from "../../support/sending/sending.ts";
import { keptBounce, sentMessage } from "../../support/server/single-mails.ts";
import { isPostgres } from "../../support/server/services.ts";

const HOST = "https://mail.example.com";
const document = apiDocument(HOST);
/** The backups of a PostgreSQL are its own (docs/decisions.md "Backups"). */
const IS_HERE = ([path]: readonly [string, unknown]) => !isPostgres || !path.startsWith("/api/v1/backups");
const operations = Object.entries(document.paths)
  .filter(IS_HERE)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
const guides = new Map(guidesOf(HOST).map(({ id, code }) => [id, code]));

/** What an example cannot know: the token of a real message or image, the secret of a hook. */
const KNOWN_OTHERWISE = /\{token\}|^\/media\/\{|^\/hooks\/|\/welcome$/;
/** What only a send under way can do: of a draft it is refused. And what only an authenticator app can. */
const NEEDS_A_SEND = /\/campaigns\/\{id\}\/(?:pause|resume|stop)$|\/totp\/confirm$/;

/** What only a passkey can answer: the example's answer is refused. */
const NEEDS_A_DEVICE: Readonly<Record<string, number>> = {
  "POST /api/v1/session/passkeys": 422,
  "POST /api/v1/session/passkey": 401,
};

let api: TestApi;
const relay = scriptedSmtp();
const home = temporaryDirectory();
beforeAll(async () => {
  await Bun.write(join(home.path, "logo.png"), png());
  api = await startApi({ smtpUrl: relay.url });
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  await api.services.users.add(api.workspaceId, OWNER, "owner", EXAMPLE.password);
});
afterAll(async () => {
  await api.stop();
  relay.stop();
  home.remove();
});

/** Who signs in by the examples: new for every example, with the password that they show. */
const EXAMPLE = { email: "ada@example.com", password: "four plain words here" };
let cookie = "";

async function freshAccount(ids: Map<string, string>): Promise<void> {
  const { users } = api.services;
  for (const { email } of await users.list(api.workspaceId))
    if (email !== OWNER) await users.removeByEmail(api.workspaceId, email);
  await users.add(api.workspaceId, EXAMPLE.email, "editor", EXAMPLE.password);
  const here = await signIn(api, EXAMPLE.email, EXAMPLE.password);
  cookie = here.cookie.split("=")[1]!;
  ids.set("ses", (await here.call("GET", "/sessions")).body.data[0].id);
  ids.set("pky", await passkeyOf(here));
  ids.set("usr", (await here.call("GET", "/session")).body.data.user.id);
}
const OWNER = "owner@example.com";

/** Who owns every workspace has the password that the examples show. */
async function asOwner(): Promise<Person> {
  const owner = await signIn(api, OWNER, EXAMPLE.password);
  cookie = owner.cookie.split("=")[1]!;
  return owner;
}

/** Only who owns every workspace makes backups. */
const freshBackup = async (ids: Map<string, string>): Promise<void> =>
  void ids.set("bak", await unlockedBackup(await asOwner(), EXAMPLE.password));

let people = 0;
/** Of the example before: a workspace has few of them. */
let rule: string | null = null;
let webhook: string | null = null;

/** Records for the example's ids to become, new for every example, by the prefix of their ids. */
async function records(): Promise<Map<string, string>> {
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await api.call("POST", path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data.id;
  };
  if (rule !== null) await api.call("DELETE", `/scoring-rules/${rule}`);
  rule = await made("/scoring-rules", { event: "order_placed", points: 20 });
  if (webhook !== null) await api.call("DELETE", `/webhooks/${webhook}`);
  webhook = await made("/webhooks", { url: "https://shop.example.org/hook", events: ["form.submitted"] });
  const { body: told } = await api.call("POST", `/webhooks/${webhook}/test`);
  const email = `ada-${++people}@example.com`;
  const contact = await made("/contacts", { email, attributes: { city: "London" } });
  const listId = await made("/lists", { name: "Readers" });
  await api.call("POST", `/lists/${listId}/contacts`, { contactId: contact });
  const ids = [contact, listId];
  ids.push(await made("/campaigns", { name: "Spring", subject: "Spring", body: "<p>Hi</p>", listId }));
  ids.push(
    await made("/forms", { name: "Stay in touch", listId }),
    await made("/automations", {}),
    await made("/keys", {}),
    rule,
    webhook,
    told.data.id as string,
    (await uploadImage(api, png())).body.data.id as string,
    await made("/templates", { name: "Receipt", subject: "Thanks", body: "<p>Thanks</p>" }),
    await made("/segments", {
      name: "Londoners",
      rules: { field: "attributes.city", op: "equals", value: "London" },
    }),
  );
  // These two are named in paths by what they are.
  await api.call("POST", "/suppressions", { email: "someone@example.net" });
  await api.call("POST", "/blocked-domains", { domain: "blocked.example" });
  return new Map(ids.map((id) => [id.slice(0, id.indexOf("_")), id]));
}

type Listed = (typeof operations)[number];

/** What an example takes off a suppression list has to stand there. */
async function beSuppressed(shown: string): Promise<void> {
  const [, kind, name] = /\/(suppressions|blocked-domains)\/([^\s"'`]+)/.exec(shown) ?? [];
  const { suppressions } = api.services;
  if (kind === "suppressions") await suppressions.add(api.workspaceId, decodeURIComponent(name!), "MANUAL");
  if (kind === "blocked-domains") await suppressions.blockDomain(api.workspaceId, decodeURIComponent(name!));
}

const ABOUT_PEOPLE = /^\/api\/v1\/(?:users|session|sessions|password)\b/;

/** The example as it is shown, with this server's address and its records. */
async function asShown(operation: Listed, text: string): Promise<string> {
  const ids = await records();
  if (ABOUT_PEOPLE.test(operation.path)) await freshAccount(ids);
  if (operation.path.startsWith("/api/v1/backups")) await freshBackup(ids);
  if (operation.path.startsWith("/api/v1/nodes")) await asOwner();
  if (operation.path.includes("/imports/{id}")) {
    // One that is not over yet: only that can be cancelled.
    const file = `email\n${Array.from({ length: 20_000 }, (_, i) => `i${i}@example.com`).join("\n")}`;
    ids.set("imp", (await upload(api, "/imports", file, { status: "PENDING" })).body.data.id);
  }
  if (operation.path.endsWith("/schedule") && operation.method === "DELETE") {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await api.call("POST", `/campaigns/${ids.get("cmp")}/schedule`, { scheduledAt: at });
  }
  const shown = text.replaceAll(HOST, api.url);
  if (operation.method === "DELETE") await beSuppressed(shown);
  if (operation.path.includes("/messages/{id}")) ids.set("delivery", await sentMessage(api));
  if (operation.path.includes("/bounces/{id}")) ids.set("bounce", await keptBounce(api));
  // A second example id of a kind is a second record: naming one contact twice is refused.
  const [first, ...others] = new Set(shown.match(/\bct_[0-9a-z]{26}\b/g));
  let command = shown;
  for (const id of others) command = command.replaceAll(id, (await records()).get("ct")!);
  if (first) command = command.replaceAll(first, ids.get("ct")!);
  return command.replaceAll(/\b([a-z]+)_(?:[0-9a-z]{26}|[0-9]+)\b/g, (id, prefix: string) =>
    prefix === "ct" ? id : (ids.get(prefix) ?? id),
  );
}

async function outputOf(command: string[]): Promise<string> {
  const child = Bun.spawn(command, {
    cwd: home.path,
    env: { ...process.env, KEY: api.key, SESSION: cookie },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(err).toBe("");
  return out;
}

/** A program in JavaScript, as somebody's own file. */
async function moduleOf(name: string, text: string): Promise<string> {
  const path = join(home.path, `${name}.mjs`);
  await Bun.write(path, text);
  return path;
}
const ran = async (name: string, text: string): Promise<string> =>
  await outputOf([process.execPath, await moduleOf(name, text)]);

const worked = (operation: Listed, status: number): void => {
  const deviceStatus = NEEDS_A_DEVICE[`${operation.method} ${operation.path}`];
  if (KNOWN_OTHERWISE.test(operation.path)) expect(status).toBe(404);
  else if (NEEDS_A_SEND.test(operation.path)) expect(status).toBe(422);
  else if (deviceStatus !== undefined) expect(status).toBe(deviceStatus);
  else expect(status).toBeWithin(200, 300);
};

const each = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

describe("the curl examples of the reference", () => {
  test.each(each)("%s works as shown", async (_, operation) => {
    const command = await asShown(operation, curlExample(exampleRequest(document, operation)));
    worked(operation, Number(await outputOf(["sh", "-c", `${command} -s -o /dev/null -w '%{http_code}'`])));
  });
});

describe("the JavaScript examples of the reference", () => {
  test.each(each)("%s works as shown", async (_, operation) => {
    const program = await asShown(operation, javascriptExample(exampleRequest(document, operation)));
    const output = await ran(operation.operation.operationId, program);
    worked(operation, Number(/^\d+/.exec(output)?.[0]));
    if (program.includes("await answer.")) expect(output.length).toBeGreaterThan("200 \n".length);
  });
});

describe("the programs of the guides", () => {
  const program = (guide: string): string => guides.get(guide)!["JavaScript"]!.replaceAll(HOST, api.url);

  test("walking a list gets every contact, page by page", async () => {
    await makeAudience(api, 230);
    const { total } = (await api.call("GET", "/contacts?limit=1")).body.pagination;
    expect(total).toBeGreaterThan(200);
    expect(await ran("paging", program("paging"))).toBe(`${total}\n`);
  });

  test("a message is sent once, however often its request is made", async () => {
    const before = relay.accepted.length;
    for (let i = 0; i < 2; i++) expect(await ran("repeating", program("repeating"))).toBe("200\n");
    expect(relay.accepted.length).toBe(before + 1);
  });

  test("a webhook's signature is believed, and nothing that differs from what was signed", async () => {
    const { isGenuine } = await import(await moduleOf("verifying", program("verifying")));
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const body = '{"type":"automation.webhook","text":"Grüße"}';
    const signed = signWebhook({ id: "msg_1", at: Date.now(), body }, [secret]);
    expect(isGenuine(secret, signed, body)).toBe(true);
    const both = `v1,AAAA ${signed["webhook-signature"]}`;
    expect(isGenuine(secret, { ...signed, "webhook-signature": both }, body)).toBe(true);
    expect(isGenuine(other, signed, body)).toBe(false);
    expect(isGenuine(secret, signed, `${body} `)).toBe(false);
    expect(isGenuine(secret, { ...signed, "webhook-id": "msg_2" }, body)).toBe(false);
    expect(isGenuine(secret, {}, body)).toBe(false);
    const old = signWebhook({ id: "msg_1", at: Date.now() - 400_000, body }, [secret]);
    expect(isGenuine(secret, old, body)).toBe(false);
  });
});
