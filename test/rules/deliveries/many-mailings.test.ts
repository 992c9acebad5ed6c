/** A thousand campaigns of one second: what the sender does for each of them, and what it does once. */
import { expect, test } from "bun:test";
import { campaignJob } from "#campaigns/job.ts";
import type { PlanStore } from "#campaigns/send/plan.ts";
import type { CampaignSending } from "#campaigns/send/sending-service.ts";
import { everything } from "#core/share.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { Lanes } from "#deliveries/domains/lanes.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import { Mailings } from "#deliveries/sender/mailings.ts";
import { Pump } from "#deliveries/sender/pump.ts";
import type { LedgerStore, MailingUnderWay } from "#deliveries/store.ts";
import type { WayOut } from "#deliveries/way-out.ts";
import type { Relay } from "#mail/smtp/relay/relay.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { turnsDuring } from "../../support/common/turns.ts";

const COUNT = 1_000;
const WORKSPACES = ["ws_1", "ws_2"];

const underWay = (): MailingUnderWay[] =>
  Array.from({ length: COUNT }, (_, n) => ({
    number: n + 1,
    workspaceId: WORKSPACES[n % 2]!,
    kind: "campaign",
    sourceId: `cmp_${n + 1}`,
  }));

const row = (number: number): OwedMessage => ({
  number,
  address: `r${number}@example.com`,
  attempts: 0,
  firstAttemptAt: null,
  checkedAt: 0,
});

/**
 * The sender's mailings over a ledger in memory; each has one message, or waits for a retry. Everything that is asked is
 * counted.
 */
function ground(isDue = true) {
  const asked = { sendable: 0, wayOut: 0, ramp: 0, lanes: 0, owed: 0, lease: 0 };
  const ledger = {
    sendable: async () => {
      asked.sendable++;
      return [...sendable];
    },
    owed: async (mailing: number) => {
      asked.owed++;
      world.onRead();
      return {
        messages: isDue || world.due === mailing ? [row(mailing)] : [],
        through: { retries: null, fresh: mailing },
        isEnd: true,
      };
    },
  } as unknown as LedgerStore;
  let sendable = underWay();
  /** `due`: a mailing that has a message although the others wait. */
  const world = { due: 0, mayStart: true, isFree: false, room: 1, onRead: () => {}, onStarted: () => {} };
  const lost = new Set<number>();
  const started: number[] = [];
  const lease = (_: unknown, __: string, lostBy: readonly Relay[]) => {
    asked.lease++;
    const isFree = world.isFree || lost.size > 0;
    return !isFree || lostBy.length > 0 || started.length >= world.room
      ? { retryAt: null }
      : { session: null };
  };
  const wayOut = { relays: { lease }, senderKey: "news@shop.example" } as unknown as WayOut;
  const lanes = new Lanes();
  const clock = manualClock();
  const mailings = new Mailings(
    {
      ledger,
      clock,
      log: SILENT_LOG,
      share: everything,
      letterOf: async () => ({ envelopeSender: "news@shop.example", compose: () => expect.unreachable() }),
      wayOutOf: async () => (asked.wayOut++, wayOut),
      rampOf: async () => (asked.ramp++, null),
      lanesOf: async () => (asked.lanes++, lanes),
    },
    () => {},
  );
  const pump = new Pump({
    mailings,
    clock,
    log: SILENT_LOG,
    mayStart: () => world.mayStart,
    lostBy: ({ number }) => (lost.has(number) ? [{} as Relay] : []),
    start: ({ feed }) => {
      started.push(feed.mailing.number);
      world.onStarted();
    },
  });
  const forget = () =>
    void Object.assign(asked, { sendable: 0, wayOut: 0, ramp: 0, lanes: 0, owed: 0, lease: 0 });
  return {
    mailings,
    pump,
    asked,
    world,
    lost,
    started,
    forget,
    change: (to: MailingUnderWay[]) => void (sendable = to),
  };
}

/** All of them are taken up. */
async function takenUp(isDue = true) {
  const on = ground(isDue);
  await on.mailings.refresh();
  for (; on.mailings.count < COUNT;) await nextLoopTurn();
  on.forget();
  return on;
}

test("a look asks about each workspace once, however many of its mailings are under way", async () => {
  const { mailings, asked } = await takenUp();
  await mailings.refresh();
  expect(asked).toMatchObject({ sendable: 1, wayOut: 2, ramp: 2, lanes: 2 });
});

test("others have their turn while mailings are taken up, looked at and given connections", async () => {
  const first = ground();
  expect(await turnsDuring(() => first.mailings.refresh())).toBeGreaterThan(COUNT / 20);
  const { mailings, pump } = await takenUp(false);
  expect(await turnsDuring(() => mailings.refresh())).toBeGreaterThan(COUNT / 20);
  expect(await turnsDuring(() => pump.run())).toBeGreaterThan(COUNT / 20);
});

test("calls during a look share the next one, which sees what was true when they came", async () => {
  const { mailings, asked, change } = await takenUp();
  const before = mailings.refresh();
  await Promise.resolve();
  change(underWay().slice(1));
  await Promise.all([before, ...Array.from({ length: 50 }, () => mailings.refresh())]);
  expect(asked.sendable).toBe(2);
  expect(mailings.find(1)).toBeUndefined();
  expect(mailings.count).toBe(COUNT - 1);
});

test("a relay without a free connection is asked once, and no rows are read for it", async () => {
  const { pump, asked } = await takenUp();
  await pump.run();
  expect(asked).toMatchObject({ lease: 1, owed: 1 });
});

test("a message that its relay has lost before says nothing of the relay's room for others", async () => {
  const { pump, started, lost } = await takenUp();
  lost.add(1);
  await pump.run();
  expect(started).toEqual([2]);
});

test("mailings that only wait for a retry take no turns from the one that has messages", async () => {
  const { mailings, pump, started, world } = await takenUp(false);
  await pump.run();
  Object.assign(world, { due: COUNT, isFree: true });
  mailings.find(COUNT)!.feed.lookAgain();
  expect(await turnsDuring(() => pump.run())).toBeLessThan(10);
  expect(started).toEqual([COUNT]);
});

test("a run ends although a connection comes back in each turn: whoever woke the sender waits for it", async () => {
  const { mailings, pump, started, world } = await takenUp(false);
  await pump.run();
  const giveBack = (): void => {
    if (++world.room < 100) void pump.run();
    else world.isFree = false;
  };
  Object.assign(world, { due: COUNT, isFree: true, onStarted: () => void setImmediate(giveBack) });
  mailings.find(COUNT)!.feed.lookAgain();
  await pump.run();
  expect(started.length).toBeLessThan(10);
  world.room = 100;
});

test("nothing starts if the server stops while rows are read", async () => {
  const { pump, started, world } = await takenUp();
  Object.assign(world, { isFree: true, onRead: () => void (world.mayStart = false) });
  await pump.run();
  expect(started).toEqual([]);
});

test("a message whose way out is blocked while rows are read does not start", async () => {
  const { mailings, pump, started, world } = await takenUp();
  Object.assign(world, {
    isFree: true,
    onRead: () => void (mailings.find(1)!.wayOut = { blocked: "Sending is switched off." }),
  });
  await pump.run();
  expect(started).toEqual([2]);
});

test("campaigns that are due in one second begin in turns, all of them", async () => {
  const due = underWay().slice(0, 100);
  const begun: string[] = [];
  const { job } = dueJob(due, (id) => begun.push(id));
  expect(await turnsDuring(() => job.run())).toBeGreaterThanOrEqual(12);
  expect(begun).toEqual(due.map(({ sourceId }) => sourceId));
});

/** The job of campaigns, with only the campaigns that are due. */
function dueJob(due: readonly MailingUnderWay[], begin: (campaignId: string) => void) {
  const clock = manualClock();
  const plans = {
    endHolds: async () => [],
    due: async () =>
      due.map(({ workspaceId, sourceId }) => ({
        workspaceId,
        campaignId: sourceId,
        scheduledAt: 0,
        dueAt: clock.now(),
      })),
  };
  const job = campaignJob({
    plans: plans as unknown as PlanStore,
    planning: { lookAfter: async () => {} },
    sending: { start: async (_: string, id: string) => begin(id) } as unknown as CampaignSending,
    control: { lookAfter: async () => {} },
    autoPause: async () => false,
    wakeSender: async () => {},
    clock,
    log: SILENT_LOG,
  });
  return { job };
}
