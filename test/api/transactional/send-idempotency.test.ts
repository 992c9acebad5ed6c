import { afterEach, describe, expect, test } from "bun:test";
import { KEY_LIFE_MS } from "#transactional/request/idempotency.ts";
import type { Answer } from "../../support/server/api.ts";
import { otherWorkspace, sendState, standingClock } from "../../support/sending/sending-state.ts";
import { numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import type { Script } from "../../support/sending/scripted-smtp.ts";
import { acceptedBy, outcomes, post, postBody, RECEIPT } from "../../support/server/transactional.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";

let api: SendingApi;
const start = async (on: Script = {}, options: Parameters<typeof startSending>[1] = {}) =>
  (api = await startSending(on, options));
afterEach(() => api.stop());

const isReplay = (answer: Answer) => answer.headers.get("idempotency-replayed");

describe("the same key and the same body", () => {
  test("gets the first answer again, and nothing is sent or written", async () => {
    await start();
    const first = await post(api, { to: ["ada@example.com", "grace@example.com"] }, "k1");
    const before = sendState(api);
    const again = await post(api, { to: ["ada@example.com", "grace@example.com"] }, "k1");
    expect([again.status, isReplay(first), isReplay(again)]).toEqual([200, null, "true"]);
    expect(again.body).toEqual(first.body);
    expect(sendState(api)).toEqual(before);
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 1, "grace@example.com": 1 });
  });

  test("whatever the order of members and the spaces between them", async () => {
    await start();
    const first = await postBody(
      api,
      '{"to":"ada@example.com","subject":"S","text":"T","variables":{"b":1,"a":[1,{"y":2,"x":1.0}]}}',
      { "idempotency-key": "k" },
    );
    const again = await postBody(
      api,
      ' { "variables": {"a":[1.0, {"x":1,"y":2}],"b":1}, "text":"T", "subject":"\\u0053", "to":"ada@example.com"}',
      { "idempotency-key": "k" },
    );
    expect([isReplay(again), again.body]).toEqual(["true", first.body]);
    expect(api.relay.accepted).toHaveLength(1);
  });

  test("also when the workspace may not send any more, or its limit is reached: nothing is sent", async () => {
    await start();
    const first = await post(api, {}, "k");
    await api.services.workspaces.changeSettings(api.workspaceId, { suspended: true, monthlyLimit: 1 });
    expect((await post(api, {}, "k")).body).toEqual(first.body);
  });

  test("an answer with uncertain recipients is an answer", async () => {
    await start({ DOT: { and: "drop", kept: true } });
    const first = await post(api, {}, "k");
    const again = await post(api, {}, "k");
    expect([first.status, outcomes(first)]).toEqual([200, ["ada@example.com UNCERTAIN CONNECTION_LOST"]]);
    expect([isReplay(again), again.body]).toEqual(["true", first.body]);
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 1 });
  });

  test("survives a restart", async () => {
    await start();
    const first = await post(api, {}, "k");
    api = await api.restart();
    const again = await post(api, {}, "k");
    expect([isReplay(again), again.body]).toEqual(["true", first.body]);
    expect(api.relay.accepted).toHaveLength(1);
  });

  test("is a new request after 24 hours, and not a millisecond before", async () => {
    const clock = standingClock(Date.UTC(2026, 10, 21));
    await start({}, { clock });
    const first = await post(api, {}, "k");
    clock.at += KEY_LIFE_MS - 1;
    expect((await post(api, {}, "k")).body).toEqual(first.body);
    clock.at += 1;
    const later = await post(api, {}, "k");
    expect([isReplay(later), later.body.data.id === first.body.data.id]).toEqual([null, false]);
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 2 });
    expect((await post(api, {}, "k")).body).toEqual(later.body);
  });

  test("is another request in another workspace", async () => {
    await start();
    const other = await otherWorkspace(api);
    const [mine, theirs] = [await post(api, {}, "k"), await post(other, { subject: "Other" }, "k")];
    expect([mine.status, theirs.status, isReplay(theirs)]).toEqual([200, 200, null]);
    expect(mine.body.data.id).not.toBe(theirs.body.data.id);
  });
});

describe("409 CONFLICT", () => {
  const expectConflict = (answer: Answer) =>
    expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);

  test.each([
    ["empty", ""],
    ["with a space", "a b"],
    ["with two values", "a, b"],
    ["of 256 characters", "x".repeat(256)],
    ["with é", "\u00e9"],
  ])("a key that is %s", async (_what, key) => {
    await start();
    expectConflict(await post(api, {}, key));
    expect(api.relay.transactions).toBe(0);
  });

  test("a key under the name of other services alone, because whoever repeats the request would mail twice", async () => {
    await start();
    const foreign = { "x-idempotency-key": "k" };
    const body = JSON.stringify(RECEIPT);
    expectConflict(await postBody(api, body, foreign));
    expect(api.relay.transactions).toBe(0);
    expect((await postBody(api, body, { ...foreign, "idempotency-key": "k" })).status).toBe(200);
  });

  test("a key of 255 characters is one; the body is looked at before the key", async () => {
    await start();
    expect((await post(api, {}, "~".repeat(255))).status).toBe(200);
    expect((await post(api, { subject: "" }, "a b")).status).toBe(422);
  });

  test("another body, if only by a member that means nothing", async () => {
    await start();
    const first = await post(api, {}, "k");
    for (const fields of [
      { subject: "Another" },
      { nothing: 1 },
      { text: "Thank you, Ada. " },
      { to: ["ada@example.com"] },
    ])
      expectConflict(await post(api, fields, "k"));
    expect((await post(api, {}, "k")).body).toEqual(first.body);
    expect(api.relay.accepted).toHaveLength(1);
  });

  test("a request that is still running; of many at once one sends", async () => {
    const gate = Promise.withResolvers<void>();
    await start({ DOT: { reply: "250 2.0.0 Queued", and: "go on", after: gate.promise } });
    const racers = Array.from({ length: 8 }, () => post(api, {}, "k"));
    await api.relay.reached("DOT");
    const meanwhile = await post(api, {}, "k");
    expectConflict(meanwhile);
    expect(meanwhile.body.error.message).toContain("Ask again in a minute");
    gate.resolve();
    const statuses = (await Promise.all(racers)).map(({ status }) => status);
    // One that arrived after the answer may get it again.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 1 });
    expect(numberOf(api, "SELECT count(*) AS n FROM mailings")).toBe(1);
  });

  test("a request the end of the server cut off, until its 24 hours are over: nobody is mailed twice", async () => {
    const clock = standingClock(Date.UTC(2026, 10, 21));
    await start({}, { clock });
    await post(api, {}, "k");
    // As a kill between the dot and the answer leaves it.
    await writeTo(api, "UPDATE send_keys SET answer = NULL");
    api = await api.restart();
    const cutOff = await post(api, {}, "k");
    expectConflict(cutOff);
    expect(cutOff.body.error.message).toContain("look in `GET /messages`");
    clock.at += KEY_LIFE_MS - 1;
    expectConflict(await post(api, {}, "k"));
    expect(acceptedBy(api)).toEqual({ "ada@example.com": 1 });
    clock.at += 1;
    expect((await post(api, {}, "k")).status).toBe(200);
  });
});

test("after a 502 the key is free again", async () => {
  let isRefusing = true;
  await start({ RCPT: () => (isRefusing ? "554 5.7.1 Blocked by policy" : undefined) });
  const failed = await post(api, {}, "k");
  expect([failed.status, failed.body.error.code]).toEqual([502, "SEND_FAILED"]);
  isRefusing = false;
  const sent = await post(api, {}, "k");
  expect([sent.status, isReplay(sent), sent.body.data.sent]).toEqual([200, null, 1]);
});

test("keys whose time is over are forgotten", async () => {
  const clock = standingClock(Date.UTC(2026, 10, 21));
  await start({}, { clock });
  for (let i = 0; i < 5; i++) await post(api, {}, `old-${i}`);
  clock.at += KEY_LIFE_MS;
  await post(api, RECEIPT, "new");
  expect(rowsFrom(api, "SELECT key FROM send_keys")).toEqual([{ key: "new" }]);
});
