/** Relays as they are: they close connections, take few, slow down, lose some, refuse an odd recipient. */
import { afterEach, describe, expect, test } from "bun:test";
import { yieldTurns } from "#core/time/event-loop.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { drop, type Behaviour, type Moment, type Script } from "../../support/sending/smtp-script.ts";
import {
  addressesMailed,
  driven,
  drivenUntil,
  makeAudience,
  makeCampaign,
  numberOf,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { otherWorkspace } from "../../support/sending/sending-state.ts";
import { outcomes, post } from "../../support/server/transactional.ts";

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));
const linesOf = (text: string): string[] => api.logLines.filter((line) => line.includes(text));
const isReader = ({ rcptTo }: Moment): boolean => rcptTo.some((address) => address.startsWith("reader-"));

/** Sends to so many, and everybody has got it once. */
async function everybodyGetsIt(count: number): Promise<void> {
  const { listId, addresses } = await makeAudience(api, count);
  const id = await makeCampaign(api, listId);
  expect((await send(api, id)).body.data).toEqual({ sent: count, failed: 0, remaining: 0, complete: true });
  expect(addressesMailed(api)).toEqual(addresses.toSorted());
  expect(rowsOf(api, id).every(({ attempts }) => attempts === 1)).toBe(true);
}

/** Counts a connection's messages by its own number. */
function perConnection() {
  const counts = new Map<number, number>();
  return {
    of: ({ connection }: Moment): number => counts.get(connection) ?? 0,
    add({ connection }: Moment): number {
      const count = (counts.get(connection) ?? 0) + 1;
      counts.set(connection, count);
      return count;
    },
  };
}

describe("a relay that ends a connection after twenty messages", () => {
  /** `refused` counts messages that were begun in vain. */
  const ways: [name: string, script: (refused: () => void) => Script][] = [
    [
      "by 421 at the next MAIL",
      (refused) => {
        const messages = perConnection();
        return {
          MAIL(moment) {
            if (messages.add(moment) <= 20) return undefined;
            refused();
            return { reply: "421 4.7.0 Too many messages in this connection", and: "drop" };
          },
        };
      },
    ],
    [
      "by closing it at the next MAIL",
      (refused) => {
        const messages = perConnection();
        return {
          MAIL(moment) {
            if (messages.add(moment) <= 20) return undefined;
            refused();
            return drop;
          },
        };
      },
    ],
    [
      "by 421 right behind the 250 of the twentieth",
      () => {
        const messages = perConnection();
        return {
          DOT(moment) {
            if (messages.add(moment) < 20) return undefined;
            return { reply: "250 2.0.0 Queued\r\n421 4.4.2 That was enough", and: "drop" };
          },
        };
      },
    ],
    [
      "by closing it behind the 250 of the twentieth",
      () => {
        const messages = perConnection();
        return {
          DOT(moment) {
            if (messages.add(moment) < 20) return undefined;
            return { reply: "250 2.0.0 Queued", and: "drop" };
          },
        };
      },
    ],
  ];
  for (const [name, script] of ways)
    for (const extensions of [["PIPELINING"], ["8BITMIME"]])
      test(`${name} is given a fresh one at once, and soon QUIT in time (${extensions[0]})`, async () => {
        let refused = 0;
        api = await startSending(
          script(() => refused++),
          { connections: 3, relay: { extensions } },
        );
        await everybodyGetsIt(400);
        expect(refused).toBeLessThan(12);
        expect(api.relay.connections).toBeWithin(20, 40);
        expect(linesOf('"message":"relay ')).toEqual([]);
        expect(numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'uncertain'")).toBe(0);
      });
});

describe("maxConnections", () => {
  /** Refuses what is more than `most` at a time, as a strict relay does. */
  const takes = (most: number, refused: () => void): Script => ({
    CONNECT() {
      if (api.relay.open <= most) return undefined;
      refused();
      return { reply: "421 4.7.0 Too many connections from you", and: "drop" };
    },
  });

  for (const connections of [1, 2, 5])
    test(`of ${connections} is never passed by a campaign and receipts together`, async () => {
      let refused = 0;
      api = await startSending(
        takes(connections, () => refused++),
        { connections },
      );
      const { listId } = await makeAudience(api, 200);
      const sending = send(api, await makeCampaign(api, listId));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => post(api, { to: `buyer-${n}@example.com` })),
      );
      expect(answers.flatMap(outcomes)).toEqual(
        Array.from({ length: 20 }, (_, n) => `buyer-${n}@example.com SENT`),
      );
      expect((await sending).body.data).toMatchObject({ sent: 200, remaining: 0 });
      expect(refused).toBe(0);
      expect(linesOf('"message":"relay ')).toEqual([]);
    });

  test("holds also where a workspace names the service's own relay again", async () => {
    let refused = 0;
    api = await startSending(
      takes(5, () => refused++),
      { connections: 5 },
    );
    const other = await otherWorkspace(api);
    await api.services.workspaces.changeSettings(other.workspaceId, {
      smtpUrl: `${api.relay.url}?maxConnections=5`,
    });
    const ids = [
      await makeCampaign(api, (await makeAudience(api, 100)).listId),
      await makeCampaign(other, (await makeAudience(other, 100)).listId),
    ] as const;
    await Promise.all([send(api, ids[0]), send(other, ids[1])]);
    expect([refused, api.relay.accepted.length]).toEqual([0, 200]);
  });

  test("of one is shared: a receipt is next, before the rest of a campaign", async () => {
    const gate = Promise.withResolvers<void>();
    api = await startSending(
      {
        DOT: (moment) =>
          isReader(moment) ? { reply: "250 2.0.0 Queued", and: "go on", after: gate.promise } : undefined,
      },
      { connections: 1 },
    );
    const { listId } = await makeAudience(api, 10);
    const sending = send(api, await makeCampaign(api, listId));
    await api.relay.reached("DOT");
    const receipt = post(api);
    await eventually(
      () => numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state = 'queued'") === 10,
    );
    gate.resolve();
    expect(outcomes(await receipt)).toEqual(["ada@example.com SENT"]);
    await sending;
    expect(api.relay.accepted.findIndex(({ rcptTo }) => rcptTo[0] === "ada@example.com")).toBeLessThan(5);
    expect(api.relay.connections).toBe(1);
  });

  test("of ten at a relay that takes five: five are used, nothing is held, and the log says how many", async () => {
    let refused = 0;
    api = await startSending(takes(5, () => refused++));
    await everybodyGetsIt(300);
    expect(refused).toBeWithin(1, 6);
    expect(api.sending.relayTroubles()).toEqual([]);
    expect(linesOf('"message":"relay ').map((line) => JSON.parse(line).connections)).toEqual([5]);
  });

  test("at a relay that refuses every connection with 421 it is the relay's trouble after all", async () => {
    const clock = manualClock();
    api = await startSending({ CONNECT: "421 4.3.2 Too busy" }, { clock });
    const { listId } = await makeAudience(api, 30);
    const id = await makeCampaign(api, listId);
    expect((await driven(clock, send(api, id))).body.data).toMatchObject({
      sent: 0,
      failed: 0,
      remaining: 30,
    });
    expect((await reportOf(api, id)).blocked).toContain("rate: 421");
    expect(rowsOf(api, id).every(({ attempts }) => attempts === 0)).toBe(true);
    expect(linesOf('"message":"relay slowing us down"')).toHaveLength(1);
  });
});

describe("a connection that is lost", () => {
  test("while the dot waits for its commit costs an attempt and a pause, and nothing is uncertain", async () => {
    const clock = manualClock();
    const cut = Promise.withResolvers<void>();
    let isBroken = true;
    api = await startSending(
      { BODY: () => (isBroken ? { and: "drop", after: cut.promise } : undefined) },
      { clock, connections: 1 },
    );
    const { ledger } = api.services;
    const claimDot = ledger.claimDot.bind(ledger);
    Object.assign(ledger, {
      async claimDot(...args: Parameters<typeof claimDot>) {
        cut.resolve();
        await eventually(() => api.relay.open === 0);
        // The end of the connection is heard of before the commit is.
        await yieldTurns(5);
        return await claimDot(...args);
      },
    });
    const id = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    const startedAt = clock.now();
    await driven(clock, send(api, id));
    expect(rowsOf(api, id)[0]).toMatchObject({ state: "queued", reason: "CONNECTION_LOST", attempts: 1 });
    expect(rowsOf(api, id)[0]!.next_attempt_at! - startedAt).toBeGreaterThan(40_000);
    isBroken = false;
    Object.assign(ledger, { claimDot });
    await drivenUntil(clock, () => rowsOf(api, id)[0]!.state === "sent", 500);
    expect(addressesMailed(api)).toEqual(["ada@example.com"]);
  });

  const lossy: [name: string, isLost: (n: number) => boolean][] = [
    ["every second dot", (n) => n % 2 === 0],
    ["one dot in four, by a bad server behind a balancer", (n) => n % 4 === 3],
    ["one dot in ten", (n) => n % 10 === 9],
  ];
  for (const [name, isLost] of lossy)
    test(`at the dot costs few their mail: ${name}`, async () => {
      const clock = manualClock();
      let [dots, isBroken] = [0, true];
      const lose: Behaviour = { and: "drop", kept: true };
      api = await startSending({ DOT: () => (isBroken && isLost(dots++) ? lose : undefined) }, { clock });
      const { listId } = await makeAudience(api, 400);
      const id = await makeCampaign(api, listId);
      await driven(clock, send(api, id));
      const uncertain = () =>
        numberOf(api, "SELECT count(*) AS n FROM deliveries WHERE state IN ('uncertain', 'dot')");
      // Five, and at the most one for each connection of the campaign's.
      expect(uncertain()).toBeWithin(5, 5 + 8);
      expect((await reportOf(api, id)).blocked).toContain("connections end at the dot");
      const laterAt = clock.now() + 20 * 60_000;
      await drivenUntil(clock, () => clock.now() >= laterAt, 1_000);
      expect(uncertain()).toBeLessThan(5 + 8 + 8);
      expect(linesOf('"message":"relay losing messages"')).toHaveLength(1);
      expect(linesOf('"message":"relay still losing messages after')).toHaveLength(1);
      isBroken = false;
      await drivenUntil(
        clock,
        () => rowsOf(api, id).every(({ state }) => /sent|uncertain/.test(state)),
        1_000,
      );
      expect(new Set(addressesMailed(api)).size).toBe(400);
      expect(addressesMailed(api)).toHaveLength(400);
      expect((await reportOf(api, id)).blocked).toBeNull();
    });
});
