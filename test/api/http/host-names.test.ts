/** Nothing depends on the Host: an office's own names have one to three letters, and old clients send none. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { rawClient } from "../../support/server/raw-client.ts";

let api: TestApi;
let formId: string;
beforeAll(async () => {
  api = await startApi();
  formId = (await api.call("POST", "/forms", { name: "Sign up" })).body.data.id;
});
afterAll(() => api.stop());

const HOSTS = ["app", "a", "a.b", "a:1", "[::1]", "mail.example.org", "-", ""];

/** The status line's number, and all that came. */
async function asked(method: string, target: string, headers: string, version = "1.1") {
  const client = await rawClient(api.url);
  client.send(
    `${method} ${target} HTTP/${version}\r\n${headers}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  );
  await client.closed;
  return { status: Number(client.received.split(" ")[1]), text: client.received };
}

const CALLS: readonly [method: string, target: string, status: number][] = [
  ["GET", "/health", 200],
  ["GET", "/console/contacts", 200],
  ["GET", "/docs", 200],
  ["GET", "/api/v1/contacts?limit=3", 200],
  ["GET", "/api/v1/contacts/nobody", 404],
  ["GET", "/api/v1/nothing", 404],
  ["PUT", "/api/v1/contacts", 405],
  ["DELETE", "/health", 405],
  ["GET", "/c/x", 404],
  ["GET", "/nothing", 404],
];

test("every route answers the same under any host name, and under none", async () => {
  const key = `Authorization: Bearer ${api.key}\r\n`;
  for (const [method, target, status] of CALLS) {
    const answers = [];
    for (const host of HOSTS) answers.push(await asked(method, target, `Host: ${host}\r\n${key}`));
    answers.push(await asked(method, target, key, "1.0"));
    expect([target, ...answers.map((answer) => answer.status)]).toEqual([
      target,
      ...answers.map(() => status),
    ]);
    if (target.includes("limit=3")) for (const { text } of answers) expect(text).toContain('"limit":3');
  }
});

test("a form is found under any host name: GET is 405, and a preflight is answered", async () => {
  const target = `/api/forms/${formId}/submit`;
  for (const host of HOSTS) {
    expect([host, (await asked("GET", target, `Host: ${host}\r\n`)).status]).toEqual([host, 405]);
    const preflight = `Host: ${host}\r\nOrigin: https://example.com\r\nAccess-Control-Request-Method: POST\r\n`;
    expect([host, (await asked("OPTIONS", target, preflight)).status]).toEqual([host, 204]);
  }
});
