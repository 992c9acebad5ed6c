import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { callWebhook, type Resolve, type WebhookRequest } from "#automations/webhooks/webhook-caller.ts";
import { systemClock } from "#core/clock.ts";
import { webhookTarget, type WebhookTarget } from "../support/webhook-target.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");

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
  const request = { url, id: "msg_1", body: "{}", secret: SECRET, allowPrivate: false, ...more };
  return callWebhook(request, systemClock, resolve);
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
    expect(answer).toEqual({ kind: "status", status: 200 });
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
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../support/webhook-child.ts"), url], {
      env: trusted === null ? env : { ...env, NODE_EXTRA_CA_CERTS: trusted },
      stdout: "pipe",
    });
    return JSON.parse(await new Response(child.stdout).text());
  }

  test.each([
    ["delivers to the name in a certificate that is trusted", "hook.example.com", certificate, true],
    ["delivers nothing to another name", "other.example.com", certificate, false],
    ["delivers nothing where the certificate is not trusted", "hook.example.com", null, false],
  ])("%s", async (_, host, trusted, arrives) => {
    const tls = { cert: Bun.file(certificate), key: Bun.file(join(FIXTURES, "hook-key.pem")) };
    const secure = webhookTarget(tls);
    const answer = await deliver(`https://${host}:${secure.port}/in`, trusted);
    secure.stop();
    expect(answer).toEqual(
      arrives ? { kind: "status", status: 200 } : { kind: "failed", problem: expect.any(String) },
    );
    expect(secure.received.map(({ path, headers, body }) => [path, headers.get("webhook-id"), body])).toEqual(
      arrives ? [["/in", "msg_1", '{"type":"automation.webhook"}']] : [],
    );
  });
});

describe("what comes back", () => {
  const here = () => `http://hook.example.com:${target.port}/`;
  const trusted = { allowPrivate: true };

  test("a redirect is a status like any other: nobody follows it", async () => {
    target.answers = [() => new Response("", { status: 307, headers: { location: here() } })];
    expect(await call(here(), resolving("127.0.0.1"), trusted)).toEqual({ kind: "status", status: 307 });
    expect(target.received.length).toBe(1);
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
});
