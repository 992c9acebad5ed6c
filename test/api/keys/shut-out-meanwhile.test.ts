/**
 * A body may take minutes, a file hours. Whoever is shut out while theirs is still coming may not finish what they
 * began: with requests that lack one letter, a stolen key would be good long after it was revoked.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { answerOf, rawClient } from "../../support/server/raw-client.ts";
import { signedIn, type Person } from "../../support/server/signed-in.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

const LIST = '{"name":"Half a list"}';
const FILE = [
  "--x",
  'Content-Disposition: form-data; name="options"',
  "",
  '{"status":"SUBSCRIBED"}',
  "--x",
  'Content-Disposition: form-data; name="file"; filename="people.csv"',
  "",
  "email",
  "grace@example.com",
  "--x--",
  "",
].join("\r\n");

const withKey = (key: string) => `Authorization: Bearer ${key}\r\n`;
const withSession = ({ cookie, workspaceId }: Person) =>
  `Cookie: ${cookie}\r\nX-Workspace: ${workspaceId}\r\n`;

/** Sends a request but for its last letter, shuts its sender out, and sends that. */
async function shutOut(path: string, who: string, body: string, shut: () => Promise<unknown>) {
  const client = await rawClient(api.url);
  const type = body === FILE ? "multipart/form-data; boundary=x" : "application/json";
  const head = `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\n${who}Content-Type: ${type}\r\n`;
  client.send(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
  // It is under way before the next one, and takes too long to have come in one piece.
  await fetch(`${api.url}/health`);
  await Bun.sleep(200);
  await shut();
  client.send(body.slice(-1));
  await client.until(/\r\n\r\n\{.*\}$/);
  client.cut();
  const answer = answerOf(client);
  return [answer.status, answer.body.error?.code];
}

const kept = async (path: string): Promise<unknown[]> => (await api.call("GET", path)).body.data;

test("a key that is revoked does nothing more", async () => {
  const { keys } = api.services;
  const made = await keys.create(api.workspaceId, "stolen");
  const revoke = () => keys.revoke(api.workspaceId, made.id);
  expect(await shutOut("/lists", withKey(made.key), LIST, revoke)).toEqual([401, "UNAUTHORIZED"]);
  expect(await kept("/lists")).toEqual([]);
});

test("a file of a key that is revoked is not imported", async () => {
  const { keys } = api.services;
  const made = await keys.create(api.workspaceId, "stolen");
  const revoke = () => keys.revoke(api.workspaceId, made.id);
  expect(await shutOut("/imports", withKey(made.key), FILE, revoke)).toEqual([401, "UNAUTHORIZED"]);
  expect(await kept("/imports")).toEqual([]);
});

test("nor does somebody who is removed, may only read from now on, or whose session ends", async () => {
  const ada = await signedIn(api);
  const idOf = async ({ call }: Person) => (await call("GET", "/session")).body.data.user.id;
  const cases: readonly (readonly [string, number, (eve: Person) => Promise<unknown>])[] = [
    ["removed", 401, async (eve) => ada.call("DELETE", `/users/${await idOf(eve)}`)],
    ["viewer", 403, async (eve) => ada.call("PATCH", `/users/${await idOf(eve)}`, { role: "viewer" })],
    ["signed out", 401, async (eve) => eve.call("DELETE", "/session")],
  ];
  for (const [name, status, shut] of cases) {
    const eve = await signedIn(api, "editor");
    const answer = await shutOut("/lists", withSession(eve), LIST, () => shut(eve));
    expect([name, answer[0]]).toEqual([name, status]);
  }
  expect(await kept("/lists")).toEqual([]);
});
