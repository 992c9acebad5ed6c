import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Resolve } from "#webhooks/calls/address-book.ts";
import { webhookAttempts, type WebhookRequest } from "#webhooks/calls/attempt.ts";
import { systemClock } from "#core/time/clock.ts";
import { askedPauseMs } from "#webhooks/calls/retry.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { rawTarget } from "../../support/webhooks/raw-target.ts";
import { eventually } from "../../support/common/eventually.ts";
import { driven } from "../../support/sending/sending.ts";
import { webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures");

let target: WebhookTarget;
beforeEach(() => {
  target = webhookTarget();
});
afterEach(() => target.stop());

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const asked: string[] = [];
const resolving =
  (...addresses: string[]): Resolve =>
  async (hostname) => {
    asked.push(hostname);
    return addresses;
  };
const call = (url: string, resolve: Resolve, more: Partial<WebhookRequest> = {}) => {
  asked.length = 0;
  const request = { url, id: "msg_1", body: "{}", secrets: [SECRET], allowPrivate: false, ...more };
  return webhookAttempts(systemClock, resolve)(request);
};

describe("where a webhook may go", () => {
  test.each([
    ["a name that leads to loopback", "http://hook.example.com/", ["127.0.0.1"]],
    [
      "a name with one private address among public ones",
      "http://hook.example.com/",
      ["93.184.216.34", "10.0.0.7"],
    ],
    ["a name that leads to cloud metadata", "http://hook.example.com/", ["169.254.169.254"]],
    ["a name that leads to a mapped loopback", "http://hook.example.com/", ["::ffff:127.0.0.1"]],
    ["an address written in hexadecimal", "http://0x7f.1/", []],
    ["IPv6 loopback", "http://[::1]/", []],
    ["localhost", "http://localhost/", ["93.184.216.34"]],
  ])("not to %s: forbidden, and nothing is connected", async (_, url, addresses) => {
    const answer = await call(url.replace(/\/$/, `:${target.port}/`), resolving(...addresses));
    expect(answer).toEqual({ kind: "forbidden", problem: expect.stringContaining("not a public address") });
    expect(target.received).toEqual([]);
  });

  test("to the address that was looked up and checked, asked for once, under the name it was called by", async () => {
    const url = `http://hook.example.com:${target.port}/in?x=1`;
    const answer = await call(url, resolving("127.0.0.1"), { allowPrivate: true });
    expect(answer).toMatchObject({ kind: "status", status: 200, answer: "ok" });
    expect(asked).toEqual(["hook.example.com"]);
    expect(target.received[0]!.headers.get("host")).toBe(`hook.example.com:${target.port}`);
  });

  test("over TLS only to whoever has the name's certificate", async () => {
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("not TLS") },
    });
    const answer = await call(`https://hook.example.com:${server.port}/`, resolving("127.0.0.1"), {
      allowPrivate: true,
    });
    server.stop(true);
    expect(answer.kind).toBe("failed");
  });
});

describe("over TLS", () => {
  const certificate = join(FIXTURES, "hook-certificate.pem");

  /** From a process that trusts this certificate beside those it always trusts, or none beside them. */
  async function deliver(url: string, trusted: string | null): Promise<unknown> {
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "../../support/webhooks/webhook-child.ts"), url],
      {
        env: trusted === null ? env : { ...env, NODE_EXTRA_CA_CERTS: trusted },
        stdout: "pipe",
      },
    );
    return JSON.parse(await new Response(child.stdout).text());
  }

  test.each([
    ["delivers to the name in a certificate that is trusted", "hook.example.com", certificate, null],
    ["delivers nothing to another name", "other.example.com", certificate, "is for another name"],
    ["delivers nothing where the certificate is not trusted", "hook.example.com", null, "is self-signed"],
  ])("%s, and says why", async (_, host, trusted, problem) => {
    const tls = { cert: Bun.file(certificate), key: Bun.file(join(FIXTURES, "hook-key.pem")) };
    const secure = webhookTarget(tls);
    const answer = await deliver(`https://${host}:${secure.port}/in`, trusted);
    secure.stop();
    expect(answer).toEqual(
      problem === null
        ? { kind: "status", status: 200, answer: "ok", askedPauseMs: 0 }
        : { kind: "failed", problem: expect.stringContaining(`The certificate ${problem}.`) },
    );
    expect(secure.received.map(({ path, headers, body }) => [path, headers.get("webhook-id"), body])).toEqual(
      problem === null ? [["/in", "msg_1", '{"type":"automation.webhook"}']] : [],
    );
  });
});

describe("what comes back", () => {
  const here = () => `http://hook.example.com:${target.port}/`;
  const trusted = { allowPrivate: true };

  test("a redirect is a status like any other: nobody follows it", async () => {
    target.answers = [() => new Response("", { status: 307, headers: { location: here() } })];
    expect(await call(here(), resolving("127.0.0.1"), trusted)).toMatchObject({
      kind: "status",
      status: 307,
    });
    expect(target.received.length).toBe(1);
  });

  test.each([
    ["another protocol", "SSH-2.0-OpenSSH_10.0\r\n"],
    ["a length below nothing", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"],
    ["a coding that nobody knows", "HTTP/1.1 200 OK\r\nTransfer-Encoding: foo, chunked\r\n\r\n"],
    ["a change of protocol that nobody asked for", "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n"],
  ])("what is no HTTP is named so, without the library's words: %s", async (_, text) => {
    const raw = rawTarget(text, false);
    const answer = await call(`http://hook.example.com:${raw.port}/`, resolving("127.0.0.1"), trusted);
    raw.stop();
    expect(answer).toEqual({
      kind: "failed",
      problem: "What answers does not speak HTTP, or the headers of its answer are too long.",
    });
  });

  test("more than 64 KB is not sent", async () => {
    const answer = await call(here(), resolving("127.0.0.1"), { ...trusted, body: "x".repeat(65_537) });
    expect([answer.kind, target.received.length]).toEqual(["forbidden", 0]);
  });

  test("something that is no HTTP, or nothing at all, is a failure that may pass", async () => {
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end("hello") },
    });
    const url = `http://hook.example.com:${server.port}/`;
    expect((await call(url, resolving("127.0.0.1"), trusted)).kind).toBe("failed");
    server.stop(true);
    expect((await call(url, resolving("127.0.0.1"), trusted)).kind).toBe("failed");
    expect((await call(here(), resolving(), trusted)).kind).toBe("failed");
  });

  test("a status counts, however the rest of the answer ends; its body is kept up to 2 KB", async () => {
    const huge = `HTTP/1.1 500 Oops\r\nContent-Length: 100000000\r\n\r\n${"x".repeat(200_000)}`;
    const half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
    for (const [text, closes, status, bytes] of [
      [huge, false, 500, 2048],
      [half, true, 200, null],
    ] as const) {
      const raw = rawTarget(text, closes);
      const answer = await call(`http://hook.example.com:${raw.port}/`, resolving("127.0.0.1"), trusted);
      raw.stop();
      expect(answer).toMatchObject({ kind: "status", status });
      if (bytes !== null) expect("answer" in answer && answer.answer.length).toBe(bytes);
    }
  });

  test("an answer is no longer as JSON than text is, whatever is in it", async () => {
    const noise = Array.from({ length: 2_048 }, (_, n) => String.fromCharCode(1 + (n % 31))).join("");
    target.answers = [() => new Response(`one\r\n\ttwo${noise}`)];
    const answer = await call(here(), resolving("127.0.0.1"), trusted);
    const text = "answer" in answer ? answer.answer : "";
    expect(text).toStartWith("one\r\n\ttwo ");
    expect(text).toHaveLength(2_048);
    expect(JSON.stringify(text).length).toBeLessThan(2 * 2_048);
  });

  test("no answer within ten seconds is a failure; a status that came before counts", async () => {
    for (const [text, kind] of [
      [null, "failed"],
      ["HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nab", "status"],
      ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "status"],
    ] as const) {
      const clock = manualClock();
      const raw = rawTarget(text, false);
      const url = `http://hook.example.com:${raw.port}/`;
      const request = { url, id: "msg_1", body: "{}", secrets: [SECRET], allowPrivate: true };
      const answered = webhookAttempts(clock, resolving("127.0.0.1"))(request);
      await eventually(() => raw.connections === 1);
      // What was written before these were answered has arrived.
      for (let i = 0; i < 10; i++) await (await fetch(`http://127.0.0.1:${target.port}/`)).text();
      const answer = await driven(clock, answered, 100);
      raw.stop();
      expect(answer.kind).toBe(kind);
      if (answer.kind === "failed") expect(answer.problem).toBe("No answer within 10 seconds.");
    }
  });

  test.each([
    ["120", 120_000],
    ["Mon, 05 Jan 2026 09:02:00 GMT", 120_000],
    ["Mon, 05 Jan 2026 08:00:00 GMT", 0],
    ["999999999", 24 * 3_600_000],
    ["9999999999", 24 * 3_600_000],
    ["soon", 0],
  ])("429 with Retry-After %s asks for a pause of %d ms", (value, pauseMs) => {
    const now = Date.UTC(2026, 0, 5, 9);
    expect([askedPauseMs(429, value, now), askedPauseMs(503, value, now)]).toEqual([pauseMs, pauseMs]);
    expect([askedPauseMs(500, value, now), askedPauseMs(200, value, now)]).toEqual([0, 0]);
  });

  test("Retry-After with more digits than a number can hold asks for a day", () => {
    expect(askedPauseMs(429, "9".repeat(400), 0)).toBe(24 * 3_600_000);
  });

  test("the connection to a name is kept, and so is what its address was; a dead address makes room for the next", async () => {
    const attempt = webhookAttempts(systemClock, async (hostname) => {
      asked.push(hostname);
      return ["127.0.0.2", "127.0.0.1"];
    });
    asked.length = 0;
    const request = { url: here(), id: "msg_1", body: "{}", secrets: [SECRET], allowPrivate: true };
    const kinds: string[] = [];
    for (let i = 0; i < 4; i++) kinds.push((await attempt(request)).kind);
    expect(kinds).toEqual(["failed", "status", "status", "status"]);
    expect(asked).toEqual(["hook.example.com"]);
    expect(new Set(target.received.map(({ clientPort }) => clientPort)).size).toBe(1);
  });

  test("a proxy of the environment is not used: it would resolve the name itself", async () => {
    const proxy = webhookTarget();
    const env = { ...process.env, HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "../../support/webhooks/webhook-child.ts"), here()],
      {
        env,
        stdout: "pipe",
      },
    );
    const answer = JSON.parse(await new Response(child.stdout).text());
    proxy.stop();
    expect([answer.status, target.received.length, proxy.received.length]).toEqual([200, 1, 0]);
  });
});
