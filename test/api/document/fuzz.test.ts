/** What a public fuzzer would do, from the document alone: every route, as shown, near it and far from it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiDocument } from "#app/http.ts";
import { sleep, systemClock } from "#core/time/clock.ts";
import { startCaptureServer } from "#mail/capture/capture-server.ts";
import { openCapturedMail } from "#mail/capture/captured-mail.ts";
import { BASE_URL, startApi, type Answer, type TestApi } from "../../support/server/api.ts";
import { passkeyOf } from "../../support/server/authenticator.ts";
import { dice } from "../../support/common/dice.ts";
import { documentCheck } from "../../support/document/document-check.ts";
import {
  fuzzRequests,
  resolved,
  shownRequest,
  type FuzzRequest,
  type Sources,
  type Target,
} from "../../support/document/fuzz-requests.ts";
import { hostileStrings } from "../../support/document/fuzz-values.ts";
import { signIn } from "../../support/server/signed-in.ts";
import { SENDER } from "../../support/sending/sending.ts";
import { keptBounce, sentMessage } from "../../support/server/single-mails.ts";
import { isPostgres } from "../../support/server/services.ts";

const SEED = Number(process.env["FUZZ_SEED"] ?? 20261121);
const ROUNDS = Number(process.env["FUZZ_ROUNDS"] ?? 25);
const AT_ONCE = 16;

const document = apiDocument(BASE_URL);
const { faults } = documentCheck(document);

type Steps = readonly (readonly [string, object?])[];

/** A send that stands: its relay is not there. */
const UNDER_WAY: Steps = [
  ["POST /api/v1/contacts", { email: "grace.hopper@example.com", status: "SUBSCRIBED" }],
  ["POST /api/v1/lists"],
  ["POST /api/v1/lists/{id}/contacts"],
  ["POST /api/v1/campaigns"],
  ["PATCH /api/v1/settings", { smtpUrl: "smtp://127.0.0.1:1" }],
  ["POST /api/v1/campaigns/{id}/send"],
];

/**
 * Routes for which success needs more than the thing in the path: what is asked before, with other members in
 * its body.
 */
const BEFORE: Readonly<Record<string, Steps>> = {
  "POST /api/v1/campaigns/{id}/pause": UNDER_WAY,
  "POST /api/v1/campaigns/{id}/resume": UNDER_WAY,
  "POST /api/v1/campaigns/{id}/stop": UNDER_WAY,
  "POST /api/v1/lists/{id}/contacts": [["POST /api/v1/contacts"], ["POST /api/v1/lists"]],
  "POST /api/v1/campaigns": [["POST /api/v1/lists"]],
  "POST /api/v1/campaigns/{id}/schedule": [["POST /api/v1/lists"], ["POST /api/v1/campaigns"]],
  "DELETE /api/v1/campaigns/{id}/schedule": [
    ["POST /api/v1/lists"],
    ["POST /api/v1/campaigns"],
    ["POST /api/v1/campaigns/{id}/schedule"],
  ],
  "POST /api/v1/campaigns/{id}/send": [
    ["POST /api/v1/contacts", { email: "grace.hopper@example.com", status: "SUBSCRIBED" }],
    ["POST /api/v1/lists"],
    ["POST /api/v1/lists/{id}/contacts"],
    ["POST /api/v1/campaigns"],
  ],
  // The one that was opened to ask.
  "DELETE /api/v1/sessions/{id}": [],
  "DELETE /api/v1/session/passkeys/{id}": [],
  // What no route makes: see `mailOf`.
  "GET /api/v1/messages/{id}": [],
  "GET /api/v1/bounces/{id}": [],
  "DELETE /api/v1/bounces/{id}": [],
  "DELETE /api/v1/attributes/{name}": [["POST /api/v1/contacts", { attributes: { city: "Berlin" } }]],
  "POST /api/v1/forms": [["POST /api/v1/lists"]],
  "POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/replay": [
    ["POST /api/v1/webhooks"],
    ["POST /api/v1/webhooks/{id}/test"],
  ],
  // One that is not over yet.
  "DELETE /api/v1/imports/{id}": [
    [
      "POST /api/v1/imports",
      { file: `email\n${Array.from({ length: 30_000 }, (_, i) => `f${i}@example.com`).join("\n")}` },
    ],
  ],
};

/** Routes of links in mail, and of images: their tokens are in no document; and what only a device can answer. */
const NEEDS_TOKEN =
  /\{(?:token|secret)\}| \/media\/|\/welcome$|\/totp\/confirm$|^POST .*\/session\/passkeys?$/;

const targets: Target[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
    bodySchema: resolved(document, Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? null),
  })),
);
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const targetOf = (name: string): Target => targets.find((target) => nameOf(target) === name)!;

let api: TestApi;
let stop: () => Promise<void>;
const ids = new Map<string, string>();
const counts = new Map<number, number>();
const wrong: string[] = [];

/** Example ids are of the form of real ones: a kind, and 26 characters or a number. */
const idLike = (example: string): string =>
  /^[a-z]+_(?:[0-9a-z]{26}|[0-9]+)$/.test(example) ? (ids.get(example.split("_")[0]!) ?? example) : example;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), "postrider-fuzz-"));
  const server = await startCaptureServer(await openCapturedMail(directory, systemClock));
  api = await startApi({ smtpUrl: server.url, isTrustedProxy: () => true });
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  stop = async () => {
    await api.stop();
    await server.close();
    rmSync(directory, { recursive: true });
  };
});
afterAll(() => stop());

describe(`with seed ${SEED}`, () => {
  const of = dice(SEED);
  const sources: Sources = { of, naughty: hostileStrings(), idLike };

  test("every route answers what its document shows with a success", async () => {
    const failed: string[] = [];
    for (const target of targets.filter((one) => !NEEDS_TOKEN.test(nameOf(one)))) {
      // The backups of a PostgreSQL are its own (docs/decisions.md "Backups").
      if (isPostgres && target.path.startsWith("/api/v1/backups")) continue;
      for (const [name, change] of BEFORE[nameOf(target)] ?? creators(target))
        await ask(shownRequest(targetOf(name), sources, change));
      if (isPersonal(target.path)) await freshAccount();
      await mailOf(target.path);
      await backupOf(target, sources);
      const answer = await ask(shownRequest(target, sources));
      if (answer.status >= 300)
        failed.push(`${nameOf(target)}: ${answer.status} ${JSON.stringify(answer.body)}`);
      if (BEFORE[nameOf(target)] === UNDER_WAY)
        await ask(shownRequest(targetOf("PATCH /api/v1/settings"), sources, { smtpUrl: "" }));
    }
    expect(failed).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test("no request makes a 5xx, a status or a shape that is not documented, or an answer without X-Request-Id", async () => {
    for (const name of targets
      .filter(({ method, path }) => method === "POST" && /^\/api\/v1\/[a-z-]+$/.test(path))
      .map(nameOf))
      await ask(shownRequest(targetOf(name), sources));
    // Those that take things away come last, and at things that other requests no longer need.
    const inOrder = targets.toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));
    for (const target of inOrder) await allOf(fuzzRequests(target, sources, ROUNDS));
    const asked = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (process.env["FUZZ_COUNTS"])
      console.info(asked, Object.fromEntries([...counts].toSorted(([a], [b]) => a - b)));
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(targets.length * 20);
    for (const status of [200, 201, 204, 400, 401, 404, 422])
      expect([status, counts.has(status)]).toEqual([status, true]);
  });

  test("a method that a path does not take is 405, whatever comes with it", async () => {
    for (const path of Object.keys(document.paths)) {
      if (!path.startsWith("/api/v1")) continue;
      // `/contacts/bulk` is `/contacts/{id}` too: what that takes finds nobody of this name.
      const taken = Object.entries(document.paths)
        .filter(([other]) => new RegExp(`^${other.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(path))
        .flatMap(([, operations]) => Object.keys(operations));
      for (const method of ["PUT", "PATCH", "POST", "DELETE"].filter(
        (each) => !taken.includes(each.toLowerCase()),
      )) {
        const answer = await ask({
          method,
          path: path.replaceAll(/\{[^}]+\}/g, "x"),
          headers: { authorization: `Bearer ${api.key}` },
          body: of.pick(["{", "{}", "\0"]),
        });
        expect([method, path, answer.status]).toEqual([method, path, 405]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("the service is well afterwards, and no answer was lost", async () => {
    const health = await ask({ method: "GET", path: "/health" });
    expect([health.status, health.body.status]).toEqual([200, "ok"]);
    expect(api.logLines.filter((line) => line.includes('"request failed"'))).toEqual([]);
  });
});

/** What makes the thing that a route's path names: `POST /api/v1/lists` for `/api/v1/lists/{id}`. */
function creators({ path }: Target): [string][] {
  if (path.startsWith("/api/v1/backups")) return [];
  const made = [...path.matchAll(/(?:^|\/)([a-z-]+)\/\{/g)].map(([, name]) => `POST /api/v1/${name}`);
  const lists = made.some((name) => BEFORE[name]) ? ["POST /api/v1/lists"] : [];
  return [...lists, ...made].map((name) => [name]);
}

/** The single mail that a path names. */
async function mailOf(path: string): Promise<void> {
  if (path === "/api/v1/messages/{id}") ids.set("delivery", await sentMessage(api));
  if (path === "/api/v1/bounces/{id}") ids.set("bounce", await keptBounce(api));
}

/** A backup that is whole; and for its file, the password. */
async function backupOf({ path }: Target, sources: Sources): Promise<void> {
  if (!path.startsWith("/api/v1/backups")) return;
  await noneRunning();
  if (!path.includes("{id}")) return;
  await ask(shownRequest(targetOf("POST /api/v1/backups"), sources));
  await noneRunning();
  if (path.endsWith("/file")) await ask(shownRequest(targetOf("POST /api/v1/backups/{id}/unlock"), sources));
}

async function noneRunning(): Promise<void> {
  for (;;) {
    const { body } = await ask({ method: "GET", path: "/api/v1/backups" });
    if (!body.data.some(({ state }: { state: string }) => state === "RUNNING")) return;
    await sleep(systemClock, 5);
  }
}

/** A few at a time: so that they also get in each other's way. */
async function allOf(requests: Iterable<FuzzRequest>): Promise<void> {
  const queue = requests[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await ask(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Routes that a person asks for themself, by the cookie of the session. */
const isPersonal = (path: string): boolean =>
  /^\/api\/v1\/(?:session|sessions|password|backups|nodes)\b/.test(path);

let cookie = "";

/** Who signs in with what the document shows. */
async function freshAccount(): Promise<void> {
  const { users } = api.services;
  const [email, password] = ["ada@example.com", "four plain words here"];
  const people = await users.list(api.workspaceId);
  const [known, other] = [email, "other@example.com"].map((address) =>
    people.some((one) => one.email === address),
  );
  // Somebody has to stay.
  if (!other) await users.add(api.workspaceId, "other@example.com", "owner", password);
  if (known) await users.removeByEmail(api.workspaceId, email);
  await users.add(api.workspaceId, email, "owner", password);
  const person = await signIn(api, email, password);
  cookie = person.cookie;
  ids.set("ses", (await person.call("GET", "/sessions")).body.data[0].id);
  ids.set("pky", await passkeyOf(person));
}

let askers = 0;

async function ask({ method, path, headers = {}, body }: FuzzRequest): Promise<Answer> {
  askers++;
  const response = await fetch(api.url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(isPersonal(path) ? { cookie } : { authorization: `Bearer ${api.key}` }),
      "x-forwarded-for": `10.${(askers >> 16) & 255}.${(askers >> 8) & 255}.${askers & 255}`,
      accept: "application/json",
      ...headers,
    },
    ...(body === undefined || method === "GET" ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const answer = {
    status: response.status,
    body: isJson ? JSON.parse(text) : null,
    headers: response.headers,
  };
  note({ method, path, body }, answer);
  return answer;
}

function note(
  { method, path, body }: { method: string; path: string; body: string | undefined },
  answer: Answer,
): void {
  counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
  const id: unknown = [201, 202].includes(answer.status) ? answer.body?.data?.id : undefined;
  if (typeof id === "string") ids.set(id.split("_")[0]!, id);
  const found = faults({ method, path }, answer);
  if (answer.status >= 500) found.push("a server error");
  if (!/^[0-9a-f]{24}$/.test(answer.headers.get("x-request-id") ?? "")) found.push("no X-Request-Id");
  if (found.length > 0)
    wrong.push(
      `${method} ${path.slice(0, 200)} ${body?.slice(0, 300) ?? ""} -> ${answer.status}: ${found.join("; ")} ${JSON.stringify(answer.body)?.slice(0, 200)}`,
    );
}
