import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openHttp } from "#app/http.ts";
import { parseTrustedProxies } from "#http/client-address.ts";
import { systemClock } from "#core/clock.ts";
import { unwrap } from "#core/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { openCapturedMail, type CapturedMail } from "#mail/capture/captured-mail.ts";
import { expectPrivate, readPage, textOf } from "../support/page-checks.ts";
import { temporaryDirectory } from "../support/postrider.ts";
import { startReaders, tokenOf, type ReadersApi } from "../support/readers.ts";

const FRAMES = ["frame-src 'self'"];
const world = {
  clock: systemClock,
  random: systemRandom,
  log: createLog({ level: "error", format: "json", clock: systemClock, write: () => undefined }),
};

let api: ReadersApi;
const servers: { stop(force: boolean): Promise<void> }[] = [];
let local: string;

/** The same service under another BASE_URL, with its mailbox. */
function serveMailbox(
  baseUrl: string,
  mailboxToken: string | null = null,
  captured: CapturedMail = api.captured,
): string {
  const isTrustedProxy = unwrap(parseTrustedProxies("loopback"));
  const mail = { kind: "captured" as const, captured, baseUrl, mailboxToken };
  const app = openHttp(api.services, api.sending, world, isTrustedProxy, mail);
  app.listen({ port: 0, hostname: "127.0.0.1" });
  servers.push(app.server!);
  return `http://127.0.0.1:${app.server!.port}`;
}

const directory = temporaryDirectory();
let directories = 0;

/** A mailbox of its own, with nothing in it. */
async function emptyMailbox(): Promise<{ captured: CapturedMail; at: string }> {
  const captured = await openCapturedMail(`${directory.path}/${++directories}`, systemClock);
  return { captured, at: serveMailbox("http://localhost:8080", null, captured) };
}

beforeAll(async () => {
  api = await startReaders();
  local = serveMailbox("http://localhost:8080");
});
afterAll(async () => {
  for (const server of servers) await server.stop(true);
  await api.stop();
  directory.remove();
});

const get = (path: string, headers: Record<string, string> = {}, base = local) =>
  fetch(base + path, { headers });
const newestNumber = async () => (await api.captured.page(1))[0]!.number;

/** Captures a message as a mail program may have written it. */
async function capture(raw: string, workspaceId: string | null = api.workspaceId): Promise<number> {
  const to = ["ada@example.com"];
  await api.captured.keep({ from: "news@example.org", to, workspaceId, raw: Buffer.from(raw) });
  return newestNumber();
}

describe("the mailbox", () => {
  test("of a service that has captured nothing says so", async () => {
    const { at } = await emptyMailbox();
    expect(textOf(await readPage(await get("/mailbox", {}, at), FRAMES))).toContain("No mail yet");
    expect((await get("/mailbox/latest", {}, at)).status).toBe(404);
  });

  test("lists the newest first, in pages", async () => {
    const { captured, at } = await emptyMailbox();
    for (let i = 1; i <= 60; i++)
      await captured.keep({
        from: "news@example.org",
        to: ["ada@example.com"],
        workspaceId: api.workspaceId,
        raw: Buffer.from(`Subject: Letter ${i}\r\n\r\nHello\r\n`),
      });
    const first = await readPage(await get("/mailbox", {}, at), FRAMES);
    const shown = [...textOf(first).matchAll(/Letter (\d+)/g)].map(([, number]) => Number(number));
    expect(shown).toEqual(Array.from({ length: 50 }, (_, i) => 60 - i));
    const older = /href="(\/mailbox\?before=\d+)"/.exec(first)![1]!;
    const second = textOf(await readPage(await get(older, {}, at), FRAMES));
    expect(second).toContain("Letter 10 ");
    expect(second).not.toContain("Letter 11 ");
    expect(second).not.toContain("Older");
  });

  test("shows a message, its text, its headers and every byte of it", async () => {
    const { letters } = await api.mailTo(["ada@example.com"]);
    const { message, unsubscribe } = letters[0]!;
    const at = `/mailbox/${message.number}`;
    const page = await readPage(await get(at), FRAMES);
    expect(textOf(page)).toContain("From Ada's Shop <news@shop.example.org> To ada@example.com");
    expect(page.replace(/\s+/g, " ")).toContain(
      `<iframe title="The message" src="${at}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" ></iframe>`,
    );
    expect(textOf(await readPage(await get(`${at}?view=headers`), FRAMES))).toContain(
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    );
    expect(await readPage(await get(`${at}?view=text`), FRAMES)).toContain(
      `<a href="https://mail.example.org${unsubscribe}" target="_blank" rel="noopener noreferrer">`,
    );
    const text = await get(`${at}/text`);
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await text.text()).toContain(`Unsubscribe: https://mail.example.org${unsubscribe}`);
    const raw = await get(`${at}/raw`);
    expect(raw.headers.get("content-type")).toBe("message/rfc822");
    expect(Buffer.from(await raw.arrayBuffer())).toEqual(Buffer.from(message.raw));
    for (const answer of [text, raw]) expectPrivate(answer.headers);
  });

  test("calls the newest message `latest`", async () => {
    const number = await capture("Subject: Newest\r\n\r\nThe newest text\r\n");
    expect(await (await get("/mailbox/latest/text")).text()).toContain("The newest text");
    expect(await (await get("/mailbox/latest")).text()).toContain(`href="/mailbox/${number}/raw"`);
  });

  test.each(["999999", "0", "-1", "x", "latest1", "1e3", "%2e%2e%2fpostrider.db", "000000000001.eml"])(
    "has no message %s",
    async (name) => {
      for (const view of ["", "/html", "/text", "/raw"]) {
        const answer = await get(`/mailbox/${name}${view}`);
        expect(answer.status).toBe(404);
        expect(textOf(await readPage(answer))).toContain("No such message");
      }
    },
  );

  test("counts nobody as an opener: images are blocked until a person asks for them", async () => {
    const { letters, campaignId } = await api.mailTo(["linus@example.com"]);
    const at = `/mailbox/${letters[0]!.message.number}`;
    const policyOf = async (path: string) => (await get(path)).headers.get("content-security-policy")!;
    expect(await policyOf(`${at}/html`)).toContain("; img-src data:;");
    expect(await policyOf(`${at}/html?images=1`)).toContain("; img-src data: http: https:;");
    expect(await (await get(`${at}/html`)).text()).toContain(`/o/${tokenOf(letters[0]!.pixel)}`);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 0, clicked: 0 });
  });

  test("is not there where mail is delivered", async () => {
    expect((await api.visit("/mailbox")).status).toBe(404);
  });
});

describe("the first page", () => {
  test("is no page for everything: an unknown address is 404 in an envelope", async () => {
    for (const path of ["/index.html", "/api", "/admin"]) {
      const answer = await get(path);
      expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });
});

describe("somebody's HTML", () => {
  test("is shown with nothing but its own styles, its links in tabs of their own", async () => {
    const number = await capture(
      'Subject: X\r\nContent-Type: text/html\r\n\r\n<!DOCTYPE html><title>X</title><script>alert(1)</script><a href="https://example.org">x</a>',
    );
    const answer = await get(`/mailbox/${number}/html`);
    expectPrivate(answer.headers);
    expect(answer.headers.get("content-security-policy")).toBe(
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    );
    expect(await answer.text()).toStartWith('<!DOCTYPE html><base target="_blank"><title>X</title>');
  });

  const VECTORS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "</pre></title><svg onload=alert(1)>",
    'https://example.org/"><script>alert(1)</script>',
    "javascript:alert(1)",
    "&lt;script&gt;",
  ];
  test.each(VECTORS)("in a subject, an address, a name, a header or a text is text: %s", async (vector) => {
    const number = await capture(
      [
        `Subject: ${vector}`,
        `From: "${vector.replaceAll('"', '\\"')}" <${vector.replace(/[<>\s]/g, "")}@example.org>`,
        `To: ${vector}`,
        `X-Evil: ${vector}`,
        "",
        vector,
        "",
      ].join("\r\n"),
    );
    await api.captured.keep({
      from: vector,
      to: [vector],
      workspaceId: null,
      raw: Buffer.from(`Subject: ${vector}\r\n\r\n${vector}`),
    });
    const paths = [
      "/mailbox",
      `/mailbox/${number}`,
      `/mailbox/${number}?view=headers`,
      `/mailbox/${number}?view=text`,
      "/mailbox/latest",
    ];
    for (const path of paths)
      expect(textOf(await readPage(await get(path), FRAMES))).toContain(vector.replace(/\s+/g, " "));
  });
});

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
