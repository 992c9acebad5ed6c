import { afterEach, describe, expect, test } from "bun:test";
import { rowOf } from "../../support/sending/campaigns.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { stall } from "../../support/sending/scripted-smtp.ts";
import {
  addressesMailed,
  beginSend,
  deliveriesOf,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  makeLongList,
  numberOf,
  reportOf,
  send,
  startSending,
  statusOf,
  steer,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { addReaders, manyTurns, runUntil, usageOf } from "../../support/sending/sending-state.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { webhookTarget } from "../../support/webhooks/webhook-target.ts";
import { listen } from "../../support/webhooks/webhooks.ts";
import { HOUR } from "../../support/common/durations.ts";

const lacksSqlite = needsSqlite(
  "PostgreSQL plans such a list at once; storage/engines/campaigns/plans.test.ts stops a plan there",
);

const NOW = Date.UTC(2026, 10, 21, 9);

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const inState = (id: string, state: string): number =>
  numberOf(
    api,
    `SELECT count(*) AS n FROM deliveries d JOIN mailings m ON m.seq = d.mailing
     WHERE m.source_id = '${id}' AND d.state = '${state}'`,
  );
const isOver = (id: string) => () => rowOf(api, id).status === "SENT";

describe("a stop", () => {
  test("skips what is owed, counts what was at its dot, gives back what it reserved, and the campaign is SENT", async () => {
    const answers = Promise.withResolvers<void>();
    api = await startSending(
      { DOT: () => ({ reply: "250 2.0.0 Queued", and: "go on", after: answers.promise }) as const },
      { connections: 4 },
    );
    const id = await makeCampaign(api, (await makeAudience(api, 12)).listId);
    beginSend(api, id);
    await api.relay.reached("DOT", 3);
    const stopping = steer(api, id, "stop");
    await eventually(() => inState(id, "queued") === 0);
    answers.resolve();
    const { status, body } = await stopping;
    expect([status, body.data]).toMatchObject([
      200,
      { planned: 12, sent: 3, remaining: 0, skipped: { STOPPED: 9 }, blocked: null },
    ]);
    expect(await statusOf(api, id)).toBe("SENT");
    expect(addressesMailed(api).length).toBe(3);
    expect(Object.values(usageOf(api))).toEqual([3, 3]);
    const rows = Object.values(await deliveriesOf(api, id));
    expect(rows.filter(({ state, reason }) => state === "SKIPPED" && reason === "STOPPED").length).toBe(9);
    expect((await send(api, id)).body.error.code).toBe("CAMPAIGN_ALREADY_SENT");
    expect((await steer(api, id, "resume")).body.error.code).toBe("WRONG_STATE");
  });

  test("of a message that comes back from its dot: it is skipped, not tried again", async () => {
    const clock = manualClock(NOW);
    const answers = Promise.withResolvers<void>();
    api = await startSending(
      { DOT: () => ({ reply: "451 4.3.0 Later", and: "go on", after: answers.promise }) as const },
      { clock, connections: 2 },
    );
    const id = await makeCampaign(api, (await makeAudience(api, 2)).listId);
    beginSend(api, id);
    await runUntil(clock, () => inState(id, "dot") === 1);
    const stopping = steer(api, id, "stop");
    await eventually(() => inState(id, "queued") === 0);
    answers.resolve();
    await driven(clock, stopping);
    await drivenUntil(clock, isOver(id));
    clock.advance(25 * HOUR);
    await manyTurns();
    expect(await reportOf(api, id)).toMatchObject({ skipped: { STOPPED: 2 }, remaining: 0 });
    expect([api.relay.accepted.length, usageOf(api)]).toEqual([0, {}]);
  });

  test.skipIf(lacksSqlite)(
    "while the list is planned: those planned so far are skipped, nobody is mailed, nothing is reserved",
    async () => {
      api = await startSending();
      const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
      await addReaders(api, id, 20_000);
      const sending = send(api, id);
      await eventually(() => numberOf(api, "SELECT count(*) AS n FROM deliveries") > 0);
      const { body } = await steer(api, id, "stop");
      expect(body.data).toMatchObject({ sent: 0, remaining: 0, blocked: null });
      expect(body.data.planned).toBeLessThan(20_001);
      expect(await statusOf(api, id)).toBe("SENT");
      expect((await sending).body.data).toEqual({ sent: 0, failed: 0, remaining: 0, complete: true });
      expect([api.relay.transactions, usageOf(api)]).toEqual([0, {}]);
      api = await api.restart();
      await manyTurns();
      expect([api.relay.transactions, await statusOf(api, id)]).toEqual([0, "SENT"]);
    },
  );

  test("of a paused send, and again while it goes on", async () => {
    api = await startSending({ MAIL: stall });
    const id = await makeCampaign(api, (await makeAudience(api, 5)).listId);
    beginSend(api, id);
    await api.relay.reached("MAIL");
    await steer(api, id, "pause");
    const { status, body } = await steer(api, id, "stop");
    expect([status, body.data.skipped, body.data.blocked]).toEqual([200, { STOPPED: 5 }, null]);
    expect(await statusOf(api, id)).toBe("SENT");
  });

  test("of very many: others are answered meanwhile, and a server that ends in the middle ends it at its next start", async () => {
    api = await startSending({ MAIL: stall });
    const id = await makeCampaign(api, await makeLongList(api, 20_000));
    beginSend(api, id);
    await api.relay.reached("MAIL");
    const stopping = steer(api, id, "stop").catch(() => undefined);
    await eventually(() => inState(id, "skipped") > 0);
    const [skipped, { status }] = [inState(id, "skipped"), await api.call("GET", `/campaigns/${id}`)];
    expect([skipped < 20_000, status]).toEqual([true, 200]);
    api = await api.restart();
    await stopping;
    await eventually(isOver(id));
    expect(await reportOf(api, id)).toMatchObject({
      planned: 20_000,
      sent: 0,
      remaining: 0,
      skipped: { STOPPED: 20_000 },
    });
    expect([api.relay.accepted.length, usageOf(api)]).toEqual([0, {}]);
  });

  test("and the campaign is deleted in the middle, or its contacts: nothing goes out, and the rows stay", async () => {
    api = await startSending({ MAIL: stall });
    const { listId, contactIds } = await makeAudience(api, 3);
    const id = await makeCampaign(api, listId);
    beginSend(api, id);
    await api.relay.reached("MAIL");
    await steer(api, id, "pause");
    expect((await api.call("DELETE", `/contacts/${contactIds[0]}`)).status).toBe(204);
    expect((await steer(api, id, "stop")).body.data).toMatchObject({ skipped: { STOPPED: 3 } });
    expect((await api.call("DELETE", `/campaigns/${id}`)).status).toBe(204);
    expect(numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'skipped'")).toBe(3);
    expect(api.relay.accepted.length).toBe(0);
  });
});

test("the end of a server starts no message more, also while an endpoint of a webhook does not answer", async () => {
  const [relayAnswers, hookAnswers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const target = webhookTarget();
  target.answers = [() => hookAnswers.promise.then(() => new Response("ok"))];
  api = await startSending(
    { DOT: () => ({ reply: "250 2.0.0 Queued", and: "go on", after: relayAnswers.promise }) as const },
    { connections: 2 },
  );
  await listen(api, target, ["contact.created"]);
  const id = await makeCampaign(api, (await makeAudience(api, 12)).listId);
  await eventually(() => target.received.length > 0);
  beginSend(api, id);
  await api.relay.reached("DOT");
  const stopping = api.sending.stop(60_000);
  relayAnswers.resolve();
  await eventually(() => inState(id, "sent") > 0);
  await manyTurns();
  hookAnswers.resolve();
  await stopping;
  expect([api.relay.accepted.length, inState(id, "queued")]).toEqual([1, 11]);
  target.stop();
});
