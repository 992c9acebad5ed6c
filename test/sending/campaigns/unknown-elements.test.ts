/** Letters with an element that no standard knows. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
});
afterAll(() => api.stop());

/** Who writes about programs forgets `&lt;` easily. */
const BODY = "<p>What a Map<constructor> does</p><a href=guide>Guide</a>";

test("a campaign of which one is called like something in JavaScript is previewed, tested and sent", async () => {
  const { listId } = await makeAudience(api, ["ada@example.com"]);
  const id = await makeCampaign(api, listId, { body: BODY });
  const { status, body } = await api.call("POST", `/campaigns/${id}/preview`, {});
  expect([status, body.data.text]).toEqual([200, expect.stringContaining("What a Map does")]);
  expect(body.data.problems.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringContaining("guide"),
  ]);
  const tested = await api.call("POST", `/campaigns/${id}/test`, { to: "me@example.com" });
  expect([tested.status, tested.body.data.sent]).toEqual([200, 1]);
  expect((await send(api, id)).body.data).toEqual({ sent: 1, failed: 0, remaining: 0, complete: true });
});

test("so is a template, and a letter to one person", async () => {
  const template = { name: "Guide", subject: "Guide", body: BODY };
  const { id } = (await api.call("POST", "/templates", template)).body.data;
  expect((await api.call("POST", `/templates/${id}/render`, {})).status).toBe(200);
  const letter = { to: "ada@example.com", subject: "Guide", html: BODY };
  const { status, body } = await api.call("POST", "/send", letter);
  expect([status, body.data.sent]).toEqual([200, 1]);
});
