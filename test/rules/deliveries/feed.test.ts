import { expect, test } from "bun:test";
import { Lanes } from "#deliveries/domains/lanes.ts";
import type { OwedMessage, OwedPosition } from "#deliveries/ledger.ts";
import { Feed } from "#deliveries/sender/feed.ts";
import type { LedgerStore, OwedStretch, Wanted } from "#deliveries/store.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

/** A ledger that answers when it is let, as another process does. */
function slowLedger(all: readonly OwedMessage[]) {
  const sent = new Set<number>();
  let hold: Promise<void> | null = null;
  const owed = async (_: number, from: OwedPosition, __: number, wanted: Wanted): Promise<OwedStretch> => {
    const rows = all.filter(({ number }) => !sent.has(number));
    const fits = ({ address }: OwedMessage) =>
      wanted.domains.includes(domainOf(address)) === (wanted.who === "only");
    const found = rows.filter((row) => row.number > from.fresh && fits(row)).slice(0, wanted.limit);
    const isEnd = found.length < wanted.limit;
    const fresh = isEnd ? Math.max(from.fresh, all.at(-1)!.number) : found.at(-1)!.number;
    if (hold) await hold;
    return {
      messages: found.filter(({ number }) => !wanted.except.has(number)),
      through: { retries: from.retries, fresh },
      isEnd,
    };
  };
  return {
    ledger: { owed } as unknown as LedgerStore,
    sent,
    holdBack: (until: Promise<void> | null) => void (hold = until),
  };
}

const row = (number: number): OwedMessage => ({
  number,
  address: `r${number}@example.com`,
  attempts: 0,
  firstAttemptAt: null,
  checkedAt: 0,
});
const LIMIT = [{ domains: ["example.com"], perHour: null, connections: 1 }];
const mailing = { number: 1, workspaceId: "ws_1", kind: "campaign", sourceId: "cmp_1" } as const;

/** Makes the feed ready. True: a row may go now, or the ledger has more rows. */
async function readOn(feed: Feed): Promise<boolean> {
  await feed.makeReady();
  return feed.findNext() !== null || feed.findMore();
}

async function drain(feed: Feed, gone: Set<number>): Promise<number[]> {
  const got: number[] = [];
  for (let looks = 0; looks < 5; looks++) {
    feed.lookAgain();
    while (await readOn(feed)) {
      if (feed.findNext() === null) continue;
      const message = feed.take();
      got.push(message.number);
      gone.add(message.number);
      feed.done(message);
    }
  }
  return got;
}

test("limits that are lifted while rows are being read lose none that waited for them", async () => {
  const lanes = new Lanes();
  lanes.limit(LIMIT, () => []);
  const { ledger, sent: gone, holdBack } = slowLedger([1, 2, 3].map(row));
  const feed = new Feed(mailing, lanes, ledger, manualClock());
  await feed.makeReady();
  const first = feed.take();
  const gate = Promise.withResolvers<void>();
  holdBack(gate.promise);
  const looking = feed.makeReady(); // 2 and 3 go on the shelf, and the ledger is asked for more
  lanes.limit([], () => []);
  feed.lookAgain();
  holdBack(null);
  gate.resolve();
  await looking;
  gone.add(first.number);
  feed.done(first);
  expect(await drain(feed, gone)).toEqual([2, 3]);
});

test("the same while a shelf is being refilled", async () => {
  const lanes = new Lanes();
  lanes.limit(LIMIT, () => []);
  const all = Array.from({ length: 350 }, (_, i) => row(i + 1));
  const { ledger, sent: gone, holdBack } = slowLedger(all);
  const feed = new Feed(mailing, lanes, ledger, manualClock());
  const sent: number[] = [];
  const gate = Promise.withResolvers<void>();
  await feed.makeReady();
  let message = feed.take();
  // Everybody else goes on the shelf, which is full.
  while (await readOn(feed));
  for (let held = false; !held;) {
    sent.push(message.number);
    gone.add(message.number);
    feed.done(message);
    holdBack(gate.promise);
    const ready = feed.makeReady();
    if (feed.findNext() === null) {
      // The shelf is empty, and its reader is under way.
      lanes.limit([], () => []);
      feed.lookAgain();
      holdBack(null);
      gate.resolve();
      await ready;
      held = true;
    } else {
      holdBack(null);
      await ready;
      message = feed.take();
    }
  }
  const rest = await drain(feed, gone);
  expect([sent.length + rest.length, new Set([...sent, ...rest]).size]).toEqual([350, 350]);
});

test("a row that comes while the ledger is read is read at once where the feed is told of it", async () => {
  const { ledger, sent: gone, holdBack } = slowLedger([row(1)]);
  gone.add(1);
  const feed = new Feed(mailing, new Lanes(), ledger, manualClock());
  const gate = Promise.withResolvers<void>();
  holdBack(gate.promise);
  const looking = feed.makeReady();
  gone.delete(1);
  feed.lookAgain();
  holdBack(null);
  gate.resolve();
  await looking;
  expect([feed.findNext(), feed.findMore()]).toEqual([null, true]);
  await feed.makeReady();
  expect(feed.findNext()?.number).toBe(1);
});

test("rows that a relay refused go behind those that were not read yet, and only so many are in memory", async () => {
  const all = Array.from({ length: 1_200 }, (_, i) => row(i + 1));
  const { ledger } = slowLedger(all);
  const feed = new Feed(mailing, new Lanes(), ledger, manualClock());
  const tried: number[] = [];
  while (tried.length < 1_050) {
    await feed.makeReady();
    const message = feed.take();
    tried.push(message.number);
    feed.putBack(message);
  }
  expect(tried).toEqual([...all.slice(0, 1_000), ...all.slice(0, 50)].map(({ number }) => number));
});
