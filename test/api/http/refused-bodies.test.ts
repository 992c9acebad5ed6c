/** What the path names is looked up before the body is refused (docs/decisions.md "HTTP"), whatever is wrong with it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { freeze, markSent, newCampaign, newList } from "../../support/sending/campaigns.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

/** Bodies that are refused as they are read, with what their message says. */
const BODIES: readonly [string, Uint8Array<ArrayBuffer>, string][] = [
  ["100,001 ids", bytes(JSON.stringify({ contactIds: Array(100_001).fill("a") })), "100000 values"],
  ["JSON in Latin-1", Uint8Array.from(Buffer.from('{"firstName":"J\xf6rg"}', "latin1")), "not in UTF-8"],
  ["JSON nested 101 deep", bytes(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`), "100 levels"],
];

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

async function answerTo(method: string, path: string, body: Uint8Array<ArrayBuffer>) {
  const headers = { authorization: `Bearer ${api.key}` };
  const response = await fetch(`${api.url}/api/v1${path}`, { method, headers, body });
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { refusal: [response.status, error.code], message: error.message };
}

const UNKNOWN = [
  ["POST", "/lists/nope/contacts"],
  ["PATCH", "/lists/nope"],
  ["PATCH", "/contacts/nope"],
  ["PATCH", "/campaigns/nope"],
  ["POST", "/campaigns/nope/send"],
  ["POST", "/campaigns/nope/schedule"],
  ["POST", "/campaigns/nope/check"],
  ["PATCH", "/automations/nope"],
  ["PATCH", "/forms/nope"],
  ["PATCH", "/users/nope"],
  ["PATCH", "/webhooks/nope"],
] as const;

describe.each(BODIES)("%s", (_name, body, says) => {
  test.each(UNKNOWN)("%s %s is 404", async (method, path) => {
    expect((await answerTo(method, path, body)).refusal).toEqual([404, "NOT_FOUND"]);
  });

  test("for a campaign that is sent: that it is", async () => {
    const { id } = await newCampaign(api, { listId: await newList(api) });
    await freeze(api, id, { queued: 1 });
    await markSent(api, id);
    for (const [method, path] of [
      ["PATCH", ""],
      ["POST", "/send"],
      ["POST", "/schedule"],
    ] as const)
      expect((await answerTo(method, `/campaigns/${id}${path}`, body)).refusal).toEqual([
        422,
        "CAMPAIGN_ALREADY_SENT",
      ]);
  });

  test("for what is there: refused for what is wrong with it; nothing is changed, and nothing is in the log", async () => {
    const listId = await newList(api);
    const { id } = await newCampaign(api, { listId });
    for (const [method, path] of [
      ["PATCH", `/campaigns/${id}`],
      ["POST", `/campaigns/${id}/send`],
      ["PATCH", `/lists/${listId}`],
      ["POST", `/lists/${listId}/contacts`],
      ["PATCH", "/settings"],
      ["POST", "/contacts"],
      ["POST", "/contacts/bulk"],
      ["POST", "/contacts/actions"],
    ] as const) {
      const { refusal, message } = await answerTo(method, path, body);
      expect([path, ...refusal]).toEqual([path, 422, "VALIDATION_ERROR"]);
      expect(message).toContain(says);
    }
    expect((await api.call("GET", `/campaigns/${id}`)).body.data.status).toBe("DRAFT");
    expect((await api.call("GET", "/audit")).body.data).toEqual([]);
  });

  test.each([
    ["POST", "/events"],
    ["POST", "/send"],
    ["POST", "/events/bulk"],
  ])("%s %s refuses it, and a key that is unknown comes first", async (method, path) => {
    const { refusal, message } = await answerTo(method, path, body);
    const isText = says === "not in UTF-8";
    expect(refusal).toEqual(isText ? [400, "INVALID_JSON"] : [422, "VALIDATION_ERROR"]);
    expect(message).toContain(says);
    const headers = { authorization: "Bearer nobody" };
    expect((await fetch(`${api.url}/api/v1${path}`, { method, headers, body })).status).toBe(401);
  });
});
