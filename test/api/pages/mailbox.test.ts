import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import PostalMime from "postal-mime";
import { systemClock } from "#core/time/clock.ts";
import { openCapturedMail, type CapturedMail } from "#mail/capture/captured-mail.ts";
import { expectPrivate, readPage, textOf } from "../../support/browser/page-checks.ts";
import { captureMail, mailboxesOf } from "../../support/server/served-mailbox.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";
import { startReaders, tokenOf, type ReadersApi } from "../../support/people/readers.ts";

const FRAMES = ["frame-src 'self'"];
let api: ReadersApi;
let local: string;

const mailboxes = mailboxesOf(() => api);
const serveMailbox = mailboxes.serve;
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
  await mailboxes.stop();
  await api.stop();
  directory.remove();
});

const get = (path: string, headers: Record<string, string> = {}, base = local) =>
  fetch(base + path, { headers });
const capture = (raw: string, workspaceId?: string | null) => captureMail(api, raw, workspaceId);

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
      `<iframe title="The message" src="${at}/html" sandbox="allow-downloads allow-popups allow-popups-to-escape-sandbox" ></iframe>`,
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

  test("speaks its reader's language, and writes times and sizes as their country does", async () => {
    const { captured, at } = await emptyMailbox();
    const german = { "accept-language": "de-DE,de;q=0.9,en;q=0.8" };
    const seen = async (path: string, headers: Record<string, string>) =>
      textOf(await readPage(await get(path, headers, at), path.includes("9999") ? [] : FRAMES));
    expect(await seen("/mailbox", german)).toContain("Noch keine E-Mails");
    expect(await seen("/mailbox/9999", german)).toContain("Diese E-Mail gibt es nicht");
    const raw = Buffer.from(`Subject: Schnee\r\n\r\n${"x".repeat(1_500)}\r\n`);
    const mail = { from: "news@example.org", to: ["ada@example.com"], workspaceId: api.workspaceId, raw };
    await captured.keep(mail);
    expect(await seen("/mailbox", german)).toMatch(
      /an ada@example.com von news@example.org \d\d?\.\d\d\.\d{4}, \d\d:\d\d:\d\d UTC · 1,5 KB/,
    );
    expect(await seen("/mailbox/latest", german)).toContain("Kopfzeilen Herunterladen");
    expect(await seen("/mailbox", { "accept-language": "fr" })).toMatch(
      /\d\d? \w+ \d{4}, [\d:]{8} UTC · 1\.5 KB/,
    );
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

describe("a long message", () => {
  test("is read in a thread, once for each request that shows what is in it", async () => {
    const { captured, at } = await emptyMailbox();
    const raw = Buffer.from(`Subject: Long\r\n\r\n${"A line of text\r\n".repeat(10_000)}`);
    await captured.keep({ from: "", to: ["ada@example.com"], workspaceId: null, raw });
    const here = spyOn(PostalMime, "parse");
    const jobs = spyOn(api.services.work, "run");
    try {
      const readFor = async (path: string): Promise<number> => {
        jobs.mockClear();
        expect((await get(path, {}, at)).status).toBe(200);
        return jobs.mock.calls.length;
      };
      for (const path of ["/mailbox", "/mailbox/1/raw", "/mailbox/latest/raw"])
        expect([path, await readFor(path)]).toEqual([path, 0]);
      for (const path of ["/mailbox/1", "/mailbox/latest", "/mailbox/1/html", "/mailbox/1/text"])
        expect([path, await readFor(path)]).toEqual([path, 1]);
      expect(here).not.toHaveBeenCalled();
    } finally {
      here.mockRestore();
      jobs.mockRestore();
    }
  });

  test("that no thread can read is not shown, and can still be downloaded", async () => {
    const { captured, at } = await emptyMailbox();
    const raw = Buffer.from(`Subject: Wide\r\nX: ${"y".repeat(2_200_000)}\r\n\r\nHello\r\n`);
    await captured.keep({ from: "", to: ["ada@example.com"], workspaceId: null, raw });
    for (const path of ["/mailbox/1", "/mailbox/1/html", "/mailbox/1/text"]) {
      const answer = await get(path, {}, at);
      expect(answer.status).toBe(422);
      expect(await readPage(answer)).toContain('href="/mailbox/1/raw"');
    }
    expect((await (await get("/mailbox/1/raw", {}, at)).arrayBuffer()).byteLength).toBe(raw.length);
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
      "sandbox allow-downloads allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
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
