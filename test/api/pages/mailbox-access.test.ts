import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { captureMail, mailboxesOf } from "../../support/server/served-mailbox.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";
import { startReaders, type ReadersApi } from "../../support/people/readers.ts";

const FRAMES = ["frame-src 'self'"];
let api: ReadersApi;
let local: string;

const mailboxes = mailboxesOf(() => api);
const serveMailbox = mailboxes.serve;
const directory = temporaryDirectory();

beforeAll(async () => {
  api = await startReaders();
  local = serveMailbox("http://localhost:8080");
});
afterAll(async () => {
  await mailboxes.stop();
  await api.stop();
  directory.remove();
});

const get = (path: string, headers: Record<string, string> = {}, base = local) =>
  fetch(base + path, { headers });
const capture = (raw: string, workspaceId?: string | null) => captureMail(api, raw, workspaceId);

describe("reading the mailbox", () => {
  const PATHS = [
    "/mailbox",
    "/mailbox/latest",
    "/mailbox/latest/html",
    "/mailbox/latest/text",
    "/mailbox/latest/raw",
    "/mailbox/999999",
  ];
  const statuses = (headers: Record<string, string>, base = local) =>
    Promise.all(PATHS.map(async (path) => (await get(path, headers, base)).status));
  // Somebody's mail has to be there to be read.
  beforeEach(async () => void (await capture("Subject: Newest\r\n\r\nText\r\n")));
  const OPEN = [200, 200, 200, 200, 200, 404];
  const SHUT = [401, 401, 401, 401, 401, 401];
  const basic = (credentials: string) => ({
    Authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
  });

  test.each(["localhost:8080", "localhost", "127.0.0.1:9", "[::1]:8080", "mail.localhost"])(
    "is open at the machine itself, as %s",
    async (Host) => {
      expect(await statuses({ Host })).toEqual(OPEN);
    },
  );

  const foreign = { Host: "evil.example" };
  const STRANGERS: Record<string, Record<string, string>> = {
    "a foreign name that leads here (DNS rebinding)": { Host: "evil.example:8080" },
    "a name that only begins like ours": { Host: "localhost.evil.example" },
    "a client behind a proxy": { Host: "localhost", "X-Forwarded-For": "203.0.113.7" },
    "a client that says it is local": { Host: "localhost", "X-Forwarded-For": "127.0.0.1" },
    "a proxy that does not say for whom": { Host: "localhost", Via: "1.1 proxy" },
    "a wrong key": { ...foreign, ...basic("admin:pr_wrong") },
    "an empty password": { ...foreign, ...basic("admin:") },
    "a scheme without credentials": { ...foreign, Authorization: "Basic" },
  };
  test.each(Object.keys(STRANGERS))("wants a key from %s", async (name) => {
    expect(await statuses(STRANGERS[name]!)).toEqual(SHUT);
    const answer = await get("/mailbox", STRANGERS[name]);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Postrider mailbox", charset="UTF-8"');
    expect(textOf(await readPage(answer))).toContain("API key");
  });

  test("from elsewhere takes an API key, as a password or as the API does", async () => {
    const from = { "X-Forwarded-For": "203.0.113.7" };
    expect(await statuses({ ...from, ...basic(`:${api.key}`) })).toEqual(OPEN);
    expect(await statuses({ ...from, ...basic(`ada:${api.key}`) })).toEqual(OPEN);
    expect(await statuses({ ...from, Authorization: `Bearer ${api.key}` })).toEqual(OPEN);
  });

  test("opens for a key that may read, and not for one that may only send", async () => {
    const keyOf = async (scope: "read" | "send") =>
      (await api.services.keys.create(api.workspaceId, scope, scope)).key;
    const from = { "X-Forwarded-For": "203.0.113.7" };
    expect(await statuses({ ...from, ...basic(`:${await keyOf("read")}`) })).toEqual(OPEN);
    expect(await statuses({ ...from, ...basic(`:${await keyOf("send")}`) })).toEqual(SHUT);
  });

  test("with a key shows the mail of its own workspace and nothing of another's", async () => {
    const { letters } = await api.mailTo(["own@example.com"]);
    const own = letters[0]!.message;
    expect(own.workspaceId).toBe(api.workspaceId);
    const neighbours = await api.services.workspaces.create("Neighbours");
    const theirs = await capture("Subject: Theirs\r\n\r\nSecret\r\n", neighbours.id);
    const nobodys = await capture("Subject: Kept by an earlier version\r\n\r\nSecret\r\n", null);
    const as = (key: string) => ({ "X-Forwarded-For": "203.0.113.7", Authorization: `Bearer ${key}` });

    expect(textOf(await readPage(await get("/mailbox", as(neighbours.key)), FRAMES))).toMatch(/Theirs/);
    expect(await (await get("/mailbox/latest/text", as(neighbours.key))).text()).toBe("Secret\n");
    for (const view of ["", "/html", "/text", "/raw"]) {
      expect((await get(`/mailbox/${theirs}${view}`, as(neighbours.key))).status).toBe(200);
      expect((await get(`/mailbox/${own.number}${view}`, as(api.key))).status).toBe(200);
      // As if they were not there.
      const missing = await get("/mailbox/999999", as(api.key));
      for (const number of [theirs, nobodys]) {
        const answer = await get(`/mailbox/${number}${view}`, as(api.key));
        expect([answer.status, await answer.text()]).toEqual([404, await missing.clone().text()]);
      }
    }
    const list = textOf(await readPage(await get("/mailbox", as(api.key)), FRAMES));
    expect(list).not.toMatch(/Theirs|Kept by an earlier version/);
    expect(list).toContain("own@example.com");
    expect(await (await get("/mailbox/latest/raw", as(api.key))).text()).toBe(
      Buffer.from(own.raw).toString(),
    );
    const stranger = await api.services.workspaces.create("Newcomers");
    expect(textOf(await readPage(await get("/mailbox", as(stranger.key)), FRAMES))).toContain("No mail yet");
    expect(textOf(await readPage(await get("/mailbox"), FRAMES))).toMatch(
      /Kept by an earlier version.*Theirs/,
    );
  });

  test("with the operator's token shows all of it; without one none opens it", async () => {
    await capture("Subject: Theirs\r\n\r\nNot yours\r\n", "ws_other");
    const token = "analytical-engine";
    const open = serveMailbox("https://news.example.org", token);
    for (const how of [basic(`operator:${token}`), { Authorization: `Bearer ${token}` }]) {
      expect(await statuses(how, open)).toEqual(OPEN);
      expect(textOf(await readPage(await get("/mailbox", how, open), FRAMES))).toContain("Theirs");
    }
    expect(await statuses({ Authorization: `Bearer ${token}x` }, open)).toEqual(SHUT);
    const shut = serveMailbox("https://news.example.org");
    for (const how of [basic("operator:"), { Authorization: "Bearer null" }])
      expect(await statuses(how, shut)).toEqual(SHUT);
  });

  test("always takes a key where BASE_URL is public, for a silent proxy makes everybody look local", async () => {
    const behindProxy = serveMailbox("https://news.example.org/mail");
    for (const Host of ["localhost:8080", "news.example.org"])
      expect(await statuses({ Host }, behindProxy)).toEqual(SHUT);
    const page = await readPage(await get("/mailbox", basic(`:${api.key}`), behindProxy), FRAMES);
    expect(page).toContain('href="/mail/mailbox"');
  });
});
