import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { trackingService } from "#tracking/service.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { startReaders, tokenOf, type Letter, type ReadersApi } from "../../support/people/readers.ts";
import { deliveriesOf, reportOf } from "../../support/sending/sending.ts";
import { rowsFrom } from "../../support/server/services.ts";
import { makeUncertain } from "../../support/sending/campaigns.ts";

const LINKS = [0, 1, 2, 3].map((n) => `<a href="https://shop.example.org/${n}">${n}</a>`);
const BODY = `<p>${LINKS.join(" ")}</p>`;
const TWO_LINKS = `<p>${LINKS.slice(0, 2).join(" ")}</p>`;
const SCANNER = { headers: { "User-Agent": "Barracuda Sentinel (EE)" } };
const NO_MACHINE = { opened: 0, clicked: 0, suspected: 0 };
const LATER_MS = 3_600_000;

let api: ReadersApi;
beforeAll(async () => {
  api = await startReaders();
});
afterAll(() => api.stop());

let reader = 0;
async function letterTo(body = BODY): Promise<Letter & { campaignId: string }> {
  const { campaignId, letters } = await api.mailTo([`grace-${++reader}@example.com`], { body });
  return { ...letters[0]!, campaignId };
}

/**
 * The same service's links, with a clock that stands this long after the relay accepted the campaign's one
 * message.
 */
function countingAfter(campaignId: string, afterMs: number) {
  const { database, ledger, contacts, workspaces } = api.services;
  const [{ at }] = rowsFrom(
    api,
    "SELECT settled_at AS at FROM deliveries WHERE mailing = (SELECT mailing FROM campaigns WHERE id = ?)",
    campaignId,
  );
  const clock = manualClock(at + afterMs);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const secret = database.signingSecret;
  return { clock, tracking: trackingService({ ledger, contacts, workspaces, secret, clock, log }) };
}

/** What the campaign and its report say: people in both, machines in the report alone. */
async function seen(campaignId: string) {
  const people = await api.countsOf(campaignId);
  const { opened, clicked, machine } = await reportOf(api, campaignId);
  expect({ opened, clicked }).toEqual(people);
  return { people, machine };
}

describe("a machine's hits", () => {
  test("leave the stat alone and count apart, once for each recipient", async () => {
    const { campaignId, letters } = await api.mailTo(["ada@example.org", "linus@example.org"], {
      body: BODY,
    });
    for (const { pixel, links } of letters) {
      for (const path of [pixel, ...links, pixel, links[0]!]) await api.visit(path, SCANNER);
    }
    await api.visit(letters[0]!.pixel, { method: "HEAD" });
    expect(await seen(campaignId)).toEqual({
      people: { opened: 0, clicked: 0 },
      machine: { opened: 2, clicked: 2, suspected: 0 },
    });
    await api.visit(letters[1]!.pixel, SCANNER);
    expect((await seen(campaignId)).machine.opened).toBe(2);
  });

  test.each([true, false])("do not hide the person's, machine first: %p", async (isMachineFirst) => {
    const { campaignId, pixel, links } = await letterTo();
    const { tracking } = countingAfter(campaignId, LATER_MS);
    for (const isByMachine of [isMachineFirst, !isMachineFirst]) {
      tracking.open(tokenOf(pixel), isByMachine);
      await tracking.click(tokenOf(links[0]!), "0", isByMachine);
      await tracking.drain();
    }
    expect(await seen(campaignId)).toEqual({
      people: { opened: 1, clicked: 1 },
      machine: { opened: 1, clicked: 1, suspected: 0 },
    });
  });

  test("are no evidence that an uncertain message arrived; the person's after them are", async () => {
    const { campaignId, pixel, links } = await letterTo();
    const later = countingAfter(campaignId, LATER_MS);
    await makeUncertain(api, campaignId);
    for (const path of [pixel, links[0]!]) await api.visit(path, SCANNER);
    await api.services.tracking.drain();
    expect(await reportOf(api, campaignId)).toMatchObject({
      sent: 0,
      uncertain: 1,
      machine: { opened: 1, clicked: 1 },
    });
    expect(Object.values(await deliveriesOf(api, campaignId)).map(({ state }) => state)).toEqual([
      "UNCERTAIN",
    ]);
    // The click settles the message now; the open is not the sooner after an acceptance for that.
    await later.tracking.click(tokenOf(links[0]!), "0", false);
    later.tracking.open(tokenOf(pixel), false);
    await later.tracking.drain();
    expect(await reportOf(api, campaignId)).toMatchObject({
      sent: 1,
      uncertain: 0,
      machine: { suspected: 0 },
    });
  });
});

describe("suspicion by timing", () => {
  const OPENS: readonly (readonly [afterMs: number, suspected: number])[] = [
    [500, 1],
    [2_000, 1],
    [2_001, 0],
    [LATER_MS, 0],
  ];
  test.each(OPENS)(
    "of an open %d ms after acceptance: %d in the report, 1 in the stat",
    async (afterMs, suspected) => {
      const { campaignId, pixel } = await letterTo();
      const { tracking, clock } = countingAfter(campaignId, afterMs);
      tracking.open(tokenOf(pixel), false);
      // What counts is when it was opened, not when that was written.
      clock.advance(60_000);
      await tracking.drain();
      expect(await seen(campaignId)).toEqual({
        people: { opened: 1, clicked: 0 },
        machine: { ...NO_MACHINE, suspected },
      });
    },
  );

  const CLICKS: Record<
    string,
    readonly [body: string, clicks: readonly (readonly [number, number])[], suspected: number]
  > = {
    "one link, three times": [
      BODY,
      [
        [0, 0],
        [0, 300],
        [0, 300],
      ],
      0,
    ],
    "two of four links at once": [
      BODY,
      [
        [0, 0],
        [1, 300],
      ],
      0,
    ],
    "three of four links within 2 s": [
      BODY,
      [
        [2, 0],
        [0, 900],
        [3, 1_100],
      ],
      1,
    ],
    "three of four links in more": [
      BODY,
      [
        [2, 0],
        [0, 1_000],
        [3, 1_001],
      ],
      0,
    ],
    "all four links within 5 s": [
      BODY,
      [
        [0, 0],
        [1, 1_500],
        [2, 1_500],
        [3, 1_500],
      ],
      1,
    ],
    "all four links in more": [
      BODY,
      [
        [0, 0],
        [1, 1_700],
        [2, 1_700],
        [3, 1_700],
      ],
      0,
    ],
    "both links within 5 s": [
      TWO_LINKS,
      [
        [1, 0],
        [0, 5_000],
      ],
      1,
    ],
    "both links in more": [
      TWO_LINKS,
      [
        [1, 0],
        [0, 5_001],
      ],
      0,
    ],
  };
  test.each(Object.keys(CLICKS))(
    "of clicks shows in the report, and the stat counts them: %s",
    async (name) => {
      const [body, clicks, suspected] = CLICKS[name]!;
      const { campaignId, links } = await letterTo(body);
      const { tracking, clock } = countingAfter(campaignId, LATER_MS);
      for (const [number, pauseMs] of clicks) {
        clock.advance(pauseMs);
        expect(await tracking.click(tokenOf(links[0]!), String(number), false)).toEndWith(`/${number}`);
      }
      await tracking.drain();
      expect(await seen(campaignId)).toEqual({
        people: { opened: 0, clicked: 1 },
        machine: { ...NO_MACHINE, suspected },
      });
    },
  );

  test("counts a recipient once, and a marked machine's clicks arouse none", async () => {
    const { campaignId, pixel, links } = await letterTo();
    const { tracking } = countingAfter(campaignId, 100);
    for (const number of ["0", "1", "2", "3"]) await tracking.click(tokenOf(links[0]!), number, true);
    await tracking.drain();
    expect((await seen(campaignId)).machine).toEqual({ opened: 0, clicked: 1, suspected: 0 });
    tracking.open(tokenOf(pixel), false);
    for (const number of ["0", "1", "2", "3"]) await tracking.click(tokenOf(links[0]!), number, false);
    await tracking.drain();
    expect(await seen(campaignId)).toEqual({
      people: { opened: 1, clicked: 1 },
      machine: { opened: 0, clicked: 1, suspected: 1 },
    });
  });
});
