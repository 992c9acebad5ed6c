import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apiDocument } from "#app.ts";
import { curlExample } from "#pages/reference/curl.ts";
import { SENDER } from "../support/sending.ts";
import { startApi, type TestApi } from "../support/api.ts";
import { scriptedSmtp } from "../support/scripted-smtp.ts";

const HOST = "https://mail.example.com";
const document = apiDocument(HOST);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** What an example cannot know: the token of a real message. */
const KNOWN_OTHERWISE = /\{token\}/;

let api: TestApi;
const relay = scriptedSmtp();
beforeAll(async () => {
  api = await startApi({ smtpUrl: relay.url });
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
});
afterAll(async () => {
  await api.stop();
  relay.stop();
});

/** Records for the example's ids to become, new for every example, by the prefix of their ids. */
async function records(): Promise<Map<string, string>> {
  const made = async (path: string, body: object) =>
    (await api.call("POST", path, body)).body.data.id as string;
  const email = `ada-${crypto.randomUUID()}@example.com`;
  const contact = await made("/contacts", { email });
  const listId = await made("/lists", { name: "Readers" });
  await api.call("POST", `/lists/${listId}/contacts`, { contactId: contact });
  const ids = [contact, listId];
  ids.push(await made("/campaigns", { name: "Spring", subject: "Spring", body: "<p>Hi</p>", listId }));
  ids.push(
    await made("/forms", { name: "Stay in touch", listId }),
    await made("/automations", {}),
    await made("/keys", {}),
  );
  return new Map(ids.map((id) => [id.slice(0, id.indexOf("_")), id]));
}

/** The example as it is shown, with this server's address and its records. */
async function asShown(operation: (typeof operations)[number]): Promise<string> {
  const ids = await records();
  if (operation.path.endsWith("/schedule") && operation.method === "DELETE") {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await api.call("POST", `/campaigns/${ids.get("cmp")}/schedule`, { scheduledAt: at });
  }
  const shown = curlExample(document, operation).replaceAll(HOST, api.url);
  // A second example id of a kind is a second record: naming one contact twice is refused.
  const [first, ...others] = new Set(shown.match(/\bct_[0-9a-z]{26}\b/g));
  let command = shown;
  for (const id of others) command = command.replaceAll(id, (await records()).get("ct")!);
  if (first) command = command.replaceAll(first, ids.get("ct")!);
  return command.replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, (id, prefix: string) =>
    prefix === "ct" ? id : (ids.get(prefix) ?? id),
  );
}

async function statusOf(command: string): Promise<number> {
  const child = Bun.spawn(["sh", "-c", `${command} -s -o /dev/null -w '%{http_code}'`], {
    env: { ...process.env, KEY: api.key },
    stdout: "pipe",
  });
  return Number(await new Response(child.stdout).text());
}

describe("the curl examples of the reference", () => {
  test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    "%s works as shown",
    async (_, operation) => {
      const status = await statusOf(await asShown(operation));
      if (KNOWN_OTHERWISE.test(operation.path)) expect(status).toBe(404);
      else expect(status).toBeWithin(200, 300);
    },
  );
});
