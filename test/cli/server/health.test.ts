import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  freePort,
  postrider,
  postriderProcess,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../../support/server/postrider.ts";
import { eventually } from "../../support/common/eventually.ts";

const home = temporaryDirectory();
let server: RunningServer;
const port = (): string => new URL(server.url).port;

beforeAll(async () => {
  server = await startPostrider(home.path, ["--trusted-proxies", "10.0.0.1"]);
});
afterAll(async () => {
  await server.end("SIGTERM");
  home.remove();
});

test("health: 0 where the server is well, with what it says of itself", async () => {
  const nowhere = `${home.path}/absent`;
  expect(await postrider(nowhere, ["health"], { PORT: port() })).toEqual({
    code: 0,
    out: "ok: mail is captured\n",
    err: "",
  });
  for (const host of ["0.0.0.0", "127.0.0.1", "localhost"]) {
    const { code, out, err } = await postrider(nowhere, ["health", "--json", "--port", port()], {
      HOST: host,
    });
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ status: "ok", mail: "captured", relays: [] });
  }
});

test("health: asks the server itself, whatever proxy the environment names", async () => {
  using proxy = Bun.serve({ port: 0, fetch: () => new Response("", { status: 502 }) });
  const url = `http://127.0.0.1:${proxy.port}`;
  const through = { HTTP_PROXY: url, http_proxy: url, NO_PROXY: "", no_proxy: "" };
  expect(await postriderProcess(home.path, ["health"], { PORT: port(), ...through })).toEqual({
    code: 0,
    out: "ok: mail is captured\n",
    err: "",
  });
});

test("health: 1 where nobody answers, or somebody else does", async () => {
  const free = String(freePort());
  const ended = await postrider(home.path, ["health", "--port", free]);
  expect(ended).toEqual({
    code: 1,
    out: "",
    err: `postrider: no server answers at http://127.0.0.1:${free}/health\n`,
  });
  using ill = Bun.serve({
    port: 0,
    fetch: () => Response.json({ status: "database cannot be written" }, { status: 503 }),
  });
  const unwell = await postrider(home.path, ["health", "--port", String(ill.port)]);
  expect([unwell.code, unwell.out]).toEqual([1, ""]);
  expect(unwell.err).toContain("answers 503: database cannot be written");
});

test.each([
  ["a page", () => new Response("<html></html>", { headers: { "Content-Type": "text/html" } })],
  ["a way to somewhere else", () => new Response(null, { status: 302, headers: { Location: "/login" } })],
  ["another program's JSON", () => Response.json({ error: "no" }, { status: 401 })],
  ["no object", () => Response.json(null)],
])("health: 1 where another program answers with %s, and says that it is no Postrider", async (_, answer) => {
  using other = Bun.serve({ port: 0, fetch: answer });
  const { status } = answer();
  expect(await postrider(home.path, ["health", "--port", String(other.port)])).toEqual({
    code: 1,
    out: "",
    err: `postrider: what answers at http://127.0.0.1:${other.port}/health is no Postrider (${status}): give this command the server's HOST and PORT\n`,
  });
});

test("X-Forwarded-For from a proxy that is not trusted is warned about once", async () => {
  const told = (): string[] =>
    server
      .err()
      .split("\n")
      .filter((line) => line.includes("X-Forwarded-For"));
  const ask = (headers: Record<string, string>) => fetch(`${server.url}/health`, { headers });
  await ask({});
  expect(told()).toEqual([]);
  for (let i = 0; i < 3; i++) await ask({ "X-Forwarded-For": `203.0.113.${i}` });
  await postrider(home.path, ["health", "--port", port()]);
  // What a process writes arrives here a moment after its answer.
  await eventually(() => told().length > 0);
  expect(told()).toHaveLength(1);
  expect(JSON.parse(told()[0]!)).toMatchObject({
    level: "warn",
    message: expect.stringContaining("TRUSTED_PROXIES"),
    from: "127.0.0.1",
  });
  expect(server.err()).not.toContain("203.0.113.");
});

test("X-Forwarded-For from a trusted proxy is no news", async () => {
  const other = temporaryDirectory();
  const trusting = await startPostrider(other.path);
  await fetch(`${trusting.url}/health`, { headers: { "X-Forwarded-For": "203.0.113.9" } });
  expect(await trusting.end("SIGTERM")).toBe(0);
  expect(trusting.err()).not.toContain("X-Forwarded-For");
  other.remove();
});
