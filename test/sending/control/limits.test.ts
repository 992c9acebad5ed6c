import { afterEach, describe, expect, test } from "bun:test";
import { FRONT } from "#deliveries/ledger.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { stall, type Script } from "../../support/sending/scripted-smtp.ts";
import {
  beginSend,
  makeAudience,
  makeCampaign,
  reportOf,
  rowsOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import {
  otherWorkspace,
  runUntil,
  sendState,
  standingClock,
  usageOf,
} from "../../support/sending/sending-state.ts";
import { isPostgres, writeTo } from "../../support/server/services.ts";
import { claimDot } from "../../support/storage/engine-mailings.ts";

const NOW = Date.UTC(2026, 10, 21, 10);
const [DAY, MONTH] = ["2026-11-21", "2026-11"];

let api: SendingApi;
afterEach(() => api.stop({ graceMs: 0 }));

const set = (change: Partial<Settings>, of = api) =>
  of.services.workspaces.changeSettings(of.workspaceId, change);
const start = async (settings: Partial<Settings>, on: Script = {}): Promise<void> => {
  api = await startSending(on, { clock: standingClock(NOW) });
  await set(settings);
};

/** A campaign to `count` people of its own. */
let lists = 0;
async function campaignTo(count: number, of: SendingApi = api): Promise<string> {
  const list = ++lists;
  const addresses = Array.from({ length: count }, (_, i) => `reader-${list}-${i + 1}@example.com`);
  return makeCampaign(of, (await makeAudience(of, addresses)).listId);
}

const sentAll = (sent: number) => ({ data: { sent, failed: 0, remaining: 0, complete: true } });

const PERIODS: [string, keyof Settings, number, string][] = [
  ["the daily cap", "dailyCap", 422, "VALIDATION_ERROR"],
  ["the monthly limit", "monthlyLimit", 402, "QUOTA_EXCEEDED"],
];

describe.each(PERIODS)("%s", (_name, key, status, code) => {
  test("is met exactly by a send of as many, and one less refuses the send as a whole", async () => {
    await start({ [key]: 4 });
    const id = await campaignTo(5);
    const before = sendState(api);
    const refused = await send(api, id);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect(sendState(api)).toEqual(before);
    expect(api.relay.transactions).toBe(0);
    await set({ [key]: 5 });
    expect((await send(api, id)).body).toEqual(sentAll(5));
    expect(usageOf(api)).toEqual({ [DAY]: 5, [MONTH]: 5 });
  });

  test("counts only who would be mailed: the excluded, suppressed and blocked take nothing of it", async () => {
    await start({ [key]: 1 });
    const people = ["ada@example.com", "grace@example.org", "linus@example.net", "alan@blocked.example"];
    const id = await makeCampaign(api, (await makeAudience(api, people)).listId);
    await api.services.suppressions.add(api.workspaceId, "grace@example.org");
    await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
    expect((await send(api, id)).status).toBe(status);
    expect((await send(api, id, { excludeEmails: ["linus@example.net"] })).body).toEqual(sentAll(1));
    expect(usageOf(api)).toEqual({ [DAY]: 1, [MONTH]: 1 });
  });

  test("counts what campaigns before this one used", async () => {
    await start({ [key]: 5 });
    const [first, second, third] = [await campaignTo(3), await campaignTo(3), await campaignTo(2)];
    expect((await send(api, first)).body).toEqual(sentAll(3));
    expect((await send(api, second)).status).toBe(status);
    expect((await send(api, third)).body).toEqual(sentAll(2));
    expect(usageOf(api)).toEqual({ [DAY]: 5, [MONTH]: 5 });
  });

  test("lowered below what is used, refuses more and says that nothing is left", async () => {
    await start({ [key]: 3 });
    expect((await send(api, await campaignTo(3))).body).toEqual(sentAll(3));
    await set({ [key]: 1 });
    const refused = await send(api, await campaignTo(1));
    expect(refused.status).toBe(status);
    expect(refused.body.error.message).toContain("3 used");
    expect(refused.body.error.message).toContain("0 left");
  });

  test.each([
    [3, 1],
    [7, 2],
    [8, 2],
    [30, 10],
  ])(
    "of %d lets exactly %d of ten campaigns to three through when all start at once",
    async (limit, allowed) => {
      await start({ [key]: limit });
      const ids = await Promise.all(Array.from({ length: 10 }, () => campaignTo(3)));
      const answers = await Promise.all(ids.map((id) => send(api, id)));
      expect(answers.filter((answer) => answer.status === 200).map(({ body }) => body)).toEqual(
        Array.from({ length: allowed }, () => sentAll(3)),
      );
      expect(answers.filter((answer) => answer.body.error?.code === code).length).toBe(10 - allowed);
      expect(api.relay.accepted.length).toBe(3 * allowed);
      expect(usageOf(api)).toEqual({ [DAY]: 3 * allowed, [MONTH]: 3 * allowed });
      expect(sendState(api)["deliveries"]!.length).toBe(3 * allowed);
    },
  );

  test("is each workspace's own", async () => {
    await start({ [key]: 2 });
    const other = await otherWorkspace(api);
    await set({ [key]: 2 }, other);
    const [mine, theirs] = [await campaignTo(2), await campaignTo(2, other)];
    expect((await send(api, mine)).body).toEqual(sentAll(2));
    expect((await send(other, theirs)).body).toEqual(sentAll(2));
    expect((await send(api, await campaignTo(1))).status).toBe(status);
    expect((await send(other, await campaignTo(1, other))).status).toBe(status);
    expect([usageOf(api), usageOf(other)]).toEqual([
      { [DAY]: 2, [MONTH]: 2 },
      { [DAY]: 2, [MONTH]: 2 },
    ]);
  });
});

test("the same campaign sent ten times at once reserves once", async () => {
  await start({ dailyCap: 5 });
  const id = await campaignTo(5);
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(api, id)));
  expect(answers.map(({ status, body }) => body.error?.code ?? status).filter((it) => it !== 200)).toEqual(
    [],
  );
  expect(answers.reduce((sum, { body }) => sum + body.data.sent, 0)).toBe(5);
  expect(api.relay.accepted.length).toBe(5);
  expect(usageOf(api)).toEqual({ [DAY]: 5, [MONTH]: 5 });
});

describe("a reservation", () => {
  test("is given back once for whoever gets nothing, and kept for whoever may have got it", async () => {
    const [dead, refused, optedOut, unknown] = [1, 2, 3, 4].map((n) => `reader-x-${n}@example.com`) as [
      string,
      string,
      string,
      string,
    ];
    const to = (rcptTo: string[], address: string) => rcptTo[0] === address;
    await start(
      {},
      {
        RCPT: ({ rcptTo }) => {
          if (to(rcptTo, dead)) return "550 5.1.1 No such user";
          // Opts out while the message is on its way to its dot.
          if (!to(rcptTo, optedOut)) return undefined;
          const leaves = `UPDATE contacts SET status = 'UNSUBSCRIBED' WHERE email = '${optedOut}'`;
          return { reply: "250 2.1.5 Known", and: "go on", after: writeTo(api, leaves) };
        },
        DOT: ({ rcptTo }) =>
          to(rcptTo, refused)
            ? "554 5.6.0 Not this letter"
            : to(rcptTo, unknown)
              ? { and: "drop" }
              : undefined,
      },
    );
    const fine = Array.from({ length: 6 }, (_, i) => `reader-y-${i}@example.com`);
    const { listId } = await makeAudience(api, [dead, refused, optedOut, unknown, ...fine]);
    const id = await makeCampaign(api, listId);
    expect((await send(api, id)).body.data).toEqual({ sent: 6, failed: 3, remaining: 0, complete: true });
    expect(await reportOf(api, id)).toMatchObject({
      sent: 6,
      bounced: 1,
      failed: 1,
      uncertain: 1,
      skipped: { OPTED_OUT: 1 },
    });
    expect(usageOf(api)).toEqual({ [DAY]: 7, [MONTH]: 7 });
    await api.call("DELETE", `/campaigns/${id}`);
    expect(usageOf(api)).toEqual({ [DAY]: 7, [MONTH]: 7 });
  });

  test("holds while a recipient waits for a further try", async () => {
    await start(
      { dailyCap: 3 },
      { RCPT: ({ rcptTo }) => (/-1@/.test(rcptTo[0]!) ? "451 4.3.0 Later" : undefined) },
    );
    expect((await send(api, await campaignTo(3))).body.data).toEqual({
      sent: 2,
      failed: 0,
      remaining: 1,
      complete: false,
    });
    expect(usageOf(api)).toEqual({ [DAY]: 3, [MONTH]: 3 });
    expect((await send(api, await campaignTo(1))).status).toBe(422);
  });

  test("of a deleted campaign's rest is given back, so that another may have it", async () => {
    await start(
      { dailyCap: 6 },
      { RCPT: ({ rcptTo }) => (/reader-late/.test(rcptTo[0]!) ? "451 4.3.0 Later" : undefined) },
    );
    const late = Array.from({ length: 4 }, (_, i) => `reader-late-${i}@example.com`);
    const { listId } = await makeAudience(api, ["ada@example.com", "grace@example.org", ...late]);
    const id = await makeCampaign(api, listId);
    expect((await send(api, id)).body.data).toMatchObject({ sent: 2, remaining: 4 });
    expect((await send(api, await campaignTo(1))).status).toBe(422);
    expect((await api.call("DELETE", `/campaigns/${id}`)).status).toBe(204);
    expect(usageOf(api)).toEqual({ [DAY]: 2, [MONTH]: 2 });
    expect((await api.call("DELETE", `/campaigns/${id}`)).status).toBe(404);
    expect(usageOf(api)).toEqual({ [DAY]: 2, [MONTH]: 2 });
    expect((await send(api, await campaignTo(4))).body).toEqual(sentAll(4));
  });

  test.each([
    ["put off by the relay", "queued", 0],
    ["refused by the relay", "failed", 0],
    ["accepted by the relay", "sent", 1],
    ["lost from sight", "uncertain", 1],
  ] as const)(
    "of a message at its dot while the campaign is deleted, then %s: %s keeps %d",
    async (_name, state, kept) => {
      await start({}, { CONNECT: stall });
      const id = await campaignTo(3);
      beginSend(api, id);
      await api.relay.reached("CONNECT");
      const { ledger } = api.services;
      const mailing = (await ledger.sendable())[0]!.number;
      const wanted = {
        limit: 1,
        who: "all",
        domains: [],
        except: new Set<number>(),
        withPeople: false,
      } as const;
      const { number } = (await ledger.owed(mailing, FRONT, 0, wanted)).messages[0]!;
      expect(await claimDot(ledger, number, 1, NOW)).toBe("dot");
      await api.call("DELETE", `/campaigns/${id}`);
      expect(usageOf(api)).toEqual({ [DAY]: 1, [MONTH]: 1 });
      const reply = { code: 451, enhanced: null, text: "" };
      await ledger.settle(
        number,
        { state, reason: "TEST", reply, nextAttemptAt: NOW + 1 },
        NOW,
        null,
        "bulk",
      );
      expect(usageOf(api)).toEqual(kept === 0 ? {} : { [DAY]: 1, [MONTH]: 1 });
    },
  );
});

describe("days and months are the workspace's own", () => {
  // Midnight in Auckland, and the end of November there, is 11:00 UTC.
  const MIDNIGHT = Date.UTC(2026, 10, 30, 11);

  test.each(PERIODS)("%s begins anew at the workspace's midnight", async (_name, key, status) => {
    const clock = standingClock(MIDNIGHT - 1);
    api = await startSending({}, { clock });
    await set({ timezone: "Pacific/Auckland", [key]: 3 });
    expect((await send(api, await campaignTo(3))).body).toEqual(sentAll(3));
    const second = await campaignTo(3);
    expect((await send(api, second)).status).toBe(status);
    expect(usageOf(api)).toEqual({ "2026-11-30": 3, "2026-11": 3 });
    clock.at = MIDNIGHT;
    expect((await send(api, second)).body).toEqual(sentAll(3));
    expect(usageOf(api)).toEqual({ "2026-11-30": 3, "2026-11": 3, "2026-12-01": 3, "2026-12": 3 });
    expect((await send(api, await campaignTo(1))).status).toBe(status);
  });

  test("what is given back after midnight goes back to the day it was taken from", async () => {
    const clock = manualClock(MIDNIGHT - 1_000);
    let isBack = false;
    api = await startSending(
      { RCPT: () => (isBack ? "550 5.1.1 No such user" : "451 4.3.0 Later") },
      { clock },
    );
    await set({ timezone: "Pacific/Auckland" });
    const id = await campaignTo(2);
    if (!isPostgres) await api.services.database.writes.drain();
    await api.sending.campaigns.start(api.workspaceId, id, {
      excludeEmails: [],
      overrideQuietHours: false,
      scheduledAt: null,
    });
    await runUntil(clock, () => api.relay.transactions === 2);
    // Written down, or their next try would be an hour after the leap.
    await runUntil(clock, () => rowsOf(api, id).every(({ next_attempt_at }) => next_attempt_at !== null));
    expect(usageOf(api)).toEqual({ "2026-11-30": 2, "2026-11": 2 });
    isBack = true;
    clock.advance(60 * 60_000);
    const usage = () => Object.keys(usageOf(api)).length;
    await runUntil(clock, () => usage() === 0);
    expect(await reportOf(api, id)).toMatchObject({ planned: 2, bounced: 2, remaining: 0 });
  });
});
