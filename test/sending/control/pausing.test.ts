import { afterEach, describe, expect, test } from "bun:test";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { stall, type Script } from "../../support/sending/scripted-smtp.ts";
import {
  addressesMailed,
  beginSend,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  makeLongList,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  statusOf,
  steer,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { addReaders, manyTurns, runUntil, sendState, usageOf } from "../../support/sending/sending-state.ts";
import { HOUR } from "../../support/common/durations.ts";

const lacksSqlite = needsSqlite(
  "PostgreSQL plans such a list in one piece, which the server's end waits for",
);

const NOW = Date.UTC(2026, 10, 21, 9);
const PAUSED = "It is paused: nothing goes out until it is resumed.";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const inState = (id: string, state: string): number =>
  rowsOf(api, id).filter((row) => row.state === state).length;
const isOver = (id: string) => () => rowOf(api, id).status === "SENT";

describe("a pause", () => {
  test("under load: after its answer at most the messages at their dot go out, and resume sends each of the others once", async () => {
    api = await startSending();
    const id = await makeCampaign(api, await makeLongList(api, 2_000));
    const sending = send(api, id);
    await eventually(() => api.relay.accepted.length > 300);
    const answer = await steer(api, id, "pause");
    const [accepted, atDot] = [api.relay.accepted.length, inState(id, "dot")];
    expect([answer.status, answer.body.data.blocked]).toEqual([200, PAUSED]);
    expect(atDot).toBeLessThanOrEqual(10);
    await eventually(() => inState(id, "dot") === 0);
    await manyTurns();
    expect(api.relay.accepted.length).toBeLessThanOrEqual(accepted + atDot);
    expect((await sending).body.data).toMatchObject({ complete: false, failed: 0 });
    expect(inState(id, "queued")).toBe(2_000 - api.relay.accepted.length);
    expect((await steer(api, id, "resume")).body.data.blocked).toBeNull();
    await eventually(isOver(id));
    expect(addressesMailed(api).length).toBe(2_000);
    expect(new Set(addressesMailed(api)).size).toBe(2_000);
  });

  test("does not try the rows that were read already one by one", async () => {
    api = await startSending({ DOT: stall }, { connections: 4 });
    const id = await makeCampaign(api, await makeLongList(api, 500));
    beginSend(api, id);
    await api.relay.reached("DOT", 3);
    const before = api.relay.transactions;
    await steer(api, id, "pause");
    await manyTurns();
    // The next message of each connection may have been offered with the dot before it.
    expect(api.relay.transactions - before).toBeLessThanOrEqual(3);
    expect(api.relay.accepted.length).toBe(0);
  });

  test("that ends while a message is still at its dot loses none of those that were on their way", async () => {
    const [dot, recipients] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const go = (reply: string, after: Promise<void>) => ({ reply, and: "go on", after }) as const;
    const relay: Script = {
      DOT: ({ message }) => (message === 1 ? go("250 2.0.0 Queued", dot.promise) : undefined),
      RCPT: ({ message }) => (message > 1 ? go("250 2.1.5 Ok", recipients.promise) : undefined),
    };
    api = await startSending(relay, { connections: 4 });
    const { listId, addresses } = await makeAudience(api, 12);
    const id = await makeCampaign(api, listId);
    beginSend(api, id);
    await Promise.all([api.relay.reached("DOT"), api.relay.reached("RCPT", 4)]);
    await steer(api, id, "pause");
    recipients.resolve();
    // The others were refused their dot, and their connections are cut off.
    await eventually(() => api.relay.open === 1);
    await steer(api, id, "resume");
    dot.resolve();
    await eventually(isOver(id));
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
  });

  test("holds after a restart, and a second one changes nothing", async () => {
    api = await startSending({ DOT: { and: "stall", kept: true } }, { connections: 3 });
    const { listId } = await makeAudience(api, 20);
    const id = await makeCampaign(api, listId);
    beginSend(api, id);
    await api.relay.reached("DOT", 2);
    const first = await steer(api, id, "pause");
    const second = await steer(api, id, "pause");
    expect([second.status, second.body]).toEqual([200, first.body]);
    const reached = api.relay.transactions;
    api = await api.restart();
    await manyTurns();
    expect(api.relay.transactions).toBe(reached);
    expect(await reportOf(api, id)).toMatchObject({ uncertain: 2, remaining: 18, blocked: PAUSED });
    expect(await statusOf(api, id)).toBe("DRAFT");
  });

  test("while the list is planned: the plan is completed, nothing goes out, and resume sends it", async () => {
    const clock = manualClock(NOW);
    api = await startSending({}, { clock });
    const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await addReaders(api, id, 20_000);
    const sending = send(api, id);
    await eventually(() => numberOf(api, "SELECT count(*) AS n FROM mailings") > 0);
    expect((await steer(api, id, "pause")).body.data).toMatchObject({ planned: 0, blocked: PAUSED });
    expect((await driven(clock, sending)).body.data).toEqual({
      sent: 0,
      failed: 0,
      remaining: 1,
      complete: false,
    });
    clock.advance(HOUR);
    await manyTurns();
    expect([api.relay.transactions, usageOf(api)]).toEqual([0, { "2026-11": 1, "2026-11-21": 1 }]);
    await driven(clock, steer(api, id, "resume"));
    await drivenUntil(clock, isOver(id));
    expect(addressesMailed(api)).toEqual(["ada@example.com"]);
  });

  test.skipIf(lacksSqlite)(
    "while the list is planned, and the server ends: the plan waits for resume, with everything checked again",
    async () => {
      const clock = manualClock(NOW);
      api = await startSending({}, { clock });
      const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
      await addReaders(api, id, 20_000);
      beginSend(api, id);
      await eventually(() => numberOf(api, "SELECT count(*) AS n FROM deliveries") > 0);
      await steer(api, id, "pause");
      api = await api.restart();
      clock.advance(HOUR);
      await runUntil(clock, () => clock.now() > NOW + HOUR + 3_000);
      expect(numberOf(api, "SELECT count(*) AS n FROM mailings WHERE phase = 'planning'")).toBe(1);
      expect(await reportOf(api, id)).toMatchObject({ blocked: PAUSED });
      const again = await send(api, id);
      expect([again.status, again.body.data.sent, again.body.data.complete]).toEqual([200, 0, false]);
      await driven(clock, steer(api, id, "resume"));
      await drivenUntil(clock, isOver(id));
      expect(addressesMailed(api)).toEqual(["ada@example.com"]);
    },
  );

  test("of rows that wait for a retry: none is due before resume, then each goes out once", async () => {
    const clock = manualClock(NOW);
    let isHealed = false;
    api = await startSending({ RCPT: () => (isHealed ? undefined : "451 4.3.0 Later") }, { clock });
    const { listId, addresses } = await makeAudience(api, 3);
    const id = await makeCampaign(api, listId);
    await driven(clock, send(api, id));
    await driven(clock, steer(api, id, "pause"));
    isHealed = true;
    const before = rowsOf(api, id);
    clock.advance(2 * HOUR);
    await runUntil(clock, () => clock.now() > NOW + 2 * HOUR + 3_000);
    expect(rowsOf(api, id)).toEqual(before);
    await driven(clock, steer(api, id, "resume"));
    await drivenUntil(clock, isOver(id));
    expect(addressesMailed(api)).toEqual(addresses.toSorted());
  });

  test("of a send that its schedule began: SCHEDULED until SENT, and a call to send it mails nobody", async () => {
    const clock = manualClock(NOW);
    api = await startSending({ DOT: { and: "stall", kept: true } }, { clock, connections: 2 });
    const id = await makeCampaign(api, (await makeAudience(api, 3)).listId);
    const scheduledAt = new Date(NOW + HOUR).toISOString();
    await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt });
    clock.advance(HOUR);
    await runUntil(clock, () => rowOf(api, id).mailing !== null && inState(id, "dot") === 1);
    await driven(clock, steer(api, id, "pause"));
    const again = await driven(clock, send(api, id));
    expect(again.body.data).toEqual({ sent: 0, failed: 0, remaining: 3, complete: false });
    expect(rowOf(api, id)).toMatchObject({ status: "SCHEDULED", scheduled_at: NOW + HOUR });
    await driven(clock, steer(api, id, "stop"));
    expect(inState(id, "skipped")).toBe(2);
  });

  test("of a SCHEDULED campaign whose plan is refused then: it does not start until resume", async () => {
    const clock = manualClock(NOW);
    api = await startSending({}, { clock });
    await api.services.workspaces.changeSettings(api.workspaceId, { dailyCap: 0 });
    const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await addReaders(api, id, 5_000);
    await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: new Date(NOW + HOUR).toISOString() });
    clock.advance(HOUR);
    await runUntil(clock, () => numberOf(api, "SELECT count(*) AS n FROM mailings") > 0);
    await steer(api, id, "pause");
    await runUntil(clock, () => numberOf(api, "SELECT count(*) AS n FROM mailings") === 0);
    await api.services.workspaces.changeSettings(api.workspaceId, { dailyCap: null });
    const at = clock.now();
    await runUntil(clock, () => clock.now() > at + 130_000);
    expect([api.relay.transactions, (await reportOf(api, id)).blocked]).toEqual([0, PAUSED]);
    expect((await steer(api, id, "stop")).body.error.code).toBe("WRONG_STATE");
    await driven(clock, steer(api, id, "resume"));
    await drivenUntil(clock, isOver(id));
    expect(addressesMailed(api)).toEqual(["ada@example.com"]);
  });

  test("outlives the release of a restored copy", async () => {
    api = await startSending({ MAIL: stall });
    const id = await makeCampaign(api, (await makeAudience(api, 3)).listId);
    beginSend(api, id);
    await api.relay.reached("MAIL");
    await steer(api, id, "pause");
    await api.services.ledger.join(NOW, true);
    expect((await reportOf(api, id)).blocked).toContain("restored");
    await api.services.campaigns.releaseCampaign(api.workspaceId, id);
    expect((await reportOf(api, id)).blocked).toBe(PAUSED);
    expect(numberOf(api, "SELECT held AS n FROM mailings")).toBe(2);
  });
});

describe("where no send is under way", () => {
  test.each(["DRAFT", "SCHEDULED", "SENT"])(
    "a %s campaign is neither paused, resumed nor stopped, and stays as it is",
    async (status) => {
      api = await startSending();
      const id = await makeCampaign(api, (await makeAudience(api, 1)).listId);
      if (status === "SCHEDULED")
        await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt: "2040-01-01T00:00:00Z" });
      if (status === "SENT") await send(api, id);
      const before = sendState(api);
      for (const action of ["pause", "resume", "stop"] as const) {
        const { status: code, body } = await steer(api, id, action);
        expect([code, body.error.code]).toEqual([422, "WRONG_STATE"]);
        expect(body.error.message).toContain("can be paused, resumed and stopped from its start");
        expect(body.error.message.includes("DELETE /campaigns/{id}/schedule")).toBe(status === "SCHEDULED");
      }
      expect(sendState(api)).toEqual(before);
    },
  );
});
