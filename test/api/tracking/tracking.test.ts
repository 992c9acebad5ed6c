import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { trackingService } from "#tracking/service.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { expectPrivate } from "../../support/browser/page-checks.ts";
import { startReaders, tokenOf, type Letter, type ReadersApi } from "../../support/people/readers.ts";
import { deliveriesOf, reportOf } from "../../support/sending/sending.ts";
import { refuseWrites } from "../../support/server/refused-writes.ts";
import { makeUncertain } from "../../support/sending/campaigns.ts";

const SHOP = "https://shop.example.org/new?a=1&b=%20x";
const IDN = "https://bücher.example/straße?q=grün";
const BODY = `<p><a href="${SHOP.replace("&", "&amp;")}">News</a> <a href="${IDN}">Books</a></p>`;

const NOTHING = { opened: 0, clicked: 0 };

let api: ReadersApi;
beforeAll(async () => {
  api = await startReaders();
});
afterAll(() => api.stop());

let reader = 0;
/** A campaign to one new reader. */
async function letterTo(address = `ada-${++reader}@example.com`): Promise<Letter & { campaignId: string }> {
  const { campaignId, letters } = await api.mailTo([address], { body: BODY });
  return { ...letters[0]!, campaignId };
}

/** The same service's links, counted by a clock of their own. */
function countingBy() {
  const clock = manualClock();
  const { database, ledger, contacts, workspaces } = api.services;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const secret = database.signingSecret;
  return { clock, tracking: trackingService({ ledger, contacts, workspaces, secret, clock, log }) };
}

describe("the pixel", () => {
  test("is one transparent pixel that nobody may keep", async () => {
    const { pixel, campaignId } = await letterTo();
    const answer = await api.visit(pixel);
    const image = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect([image.subarray(0, 6).toString(), image.readUInt16LE(6), image.readUInt16LE(8)]).toEqual([
      "GIF89a",
      1,
      1,
    ]);
    expectPrivate(answer.headers);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 0 });
  });

  test("counts a reader once, under 2,000 parallel loads and later ones", async () => {
    const { campaignId, letters } = await api.mailTo(["grace@example.com", "linus@example.com"], {
      body: BODY,
    });
    const [grace, linus] = letters as [Letter, Letter];
    const loads = await Promise.all(Array.from({ length: 2_000 }, () => api.visit(grace.pixel)));
    expect(new Set(loads.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await api.countsOf(campaignId)).opened).toBe(1);
    await api.visit(grace.pixel);
    expect((await api.countsOf(campaignId)).opened).toBe(1);
    await api.visit(linus.pixel);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 2, clicked: 0 });
  });

  test("answers before its hit is written, and the hit is written within 100 ms", async () => {
    const { pixel, campaignId } = await letterTo();
    const { tracking, clock } = countingBy();
    expect(tracking.open(tokenOf(pixel), false)).toBe(true);
    expect(tracking.open(tokenOf(pixel), false)).toBe(true);
    clock.advance(99);
    expect(clock.pending).toBe(1);
    expect((await api.countsOf(campaignId)).opened).toBe(0);
    clock.advance(1);
    expect(clock.pending).toBe(0);
    await tracking.drain();
    expect((await api.countsOf(campaignId)).opened).toBe(1);
  });

  test("is answered while the database cannot be written, and its hit is written when it can", async () => {
    const { pixel, links, campaignId } = await letterTo();
    const { tracking, clock } = countingBy();
    const end = await refuseWrites(api);
    expect(tracking.open(tokenOf(pixel), false)).toBe(true);
    expect(await tracking.click(tokenOf(links[0]!), "0", false)).toBe(SHOP);
    await tracking.drain();
    await end();
    expect(await api.countsOf(campaignId)).toEqual(NOTHING);
    clock.advance(5_000);
    await tracking.drain();
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 1 });
  });

  test("of an uncertain message is evidence that it arrived, once", async () => {
    const { pixel, campaignId } = await letterTo();
    await makeUncertain(api, campaignId);
    for (let i = 0; i < 3; i++) {
      await api.visit(pixel);
      expect((await api.countsOf(campaignId)).opened).toBe(1);
    }
    expect(await reportOf(api, campaignId)).toMatchObject({ sent: 1, uncertain: 0, failed: 0 });
    expect(Object.values(await deliveriesOf(api, campaignId)).map(({ state }) => state)).toEqual(["SENT"]);
  });
});

describe("a link", () => {
  test("leads exactly to the address in the campaign's body and counts the reader once", async () => {
    const { links, campaignId } = await letterTo();
    const answers = await Promise.all([...links, ...links].map((link) => api.visit(link)));
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302]);
    expect(answers.slice(0, 2).map(({ headers }) => headers.get("location"))).toEqual([
      SHOP,
      "https://xn--bcher-kva.example/stra%C3%9Fe?q=gr%C3%BCn",
    ]);
    for (const { headers } of answers) expectPrivate(headers);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 0, clicked: 1 });
  });

  test("works on after the campaign and the reader were deleted", async () => {
    const { campaignId, contactIds, letters } = await api.mailTo(["barbara@example.com"], { body: BODY });
    await api.call("DELETE", `/contacts/${contactIds[0]}`);
    await api.call("DELETE", `/campaigns/${campaignId}`);
    const { links, pixel } = letters[0]!;
    expect((await api.visit(links[0]!)).headers.get("location")).toBe(SHOP);
    expect((await api.visit(pixel)).status).toBe(200);
  });

  const EVIL = "evil.example";
  const ELSEWHERE = [
    "2",
    "-1",
    "+0",
    "00",
    "0x0",
    "1e0",
    "0.0",
    "9007199254740993",
    "99999999999999999999",
    "NaN",
    `https:%2F%2F${EVIL}`,
    `%2F%2F${EVIL}`,
    `%5C%5C${EVIL}`,
    `0@${EVIL}`,
    `0%00`,
    `0%20`,
    `0%0d%0aLocation:%20https:%2F%2F${EVIL}`,
    "javascript:alert(1)",
    "0/1",
  ];
  test.each(ELSEWHERE)("never leads to %s", async (number) => {
    const { links } = await (once ??= letterTo());
    const answer = await api.visit(`/c/${tokenOf(links[0]!)}/${number}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
  });
  let once: ReturnType<typeof letterTo> | undefined;

  const ADDED = ["?url=https://evil.example", "?to=//evil.example&next=%0d%0aX:1", "#//evil.example", "/"];
  test.each(ADDED)("takes no destination from what is added to it: %s", async (added) => {
    const { links } = await (once ??= letterTo());
    const answer = await api.visit(links[0]! + added, {
      headers: { "X-Forwarded-Host": EVIL, "X-Original-URL": `//${EVIL}` },
    });
    expect(answer.headers.get("location")).toBe(SHOP);
  });
});

describe("machines", () => {
  const CHROME =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
  const MARKS: Record<string, RequestInit> = {
    "a HEAD": { method: "HEAD" },
    "Chromium's prefetch": { headers: { "Sec-Purpose": "prefetch;prerender" } },
    "the old prefetch header": { headers: { Purpose: "prefetch" } },
    "Safari's preview": { headers: { "X-Purpose": "preview" } },
    "Firefox's prefetch": { headers: { "X-Moz": "prefetch" } },
    "Apple's mail privacy": { headers: { "User-Agent": "Mozilla/5.0" } },
    "Gmail's fetch ahead": { headers: { "User-Agent": `${CHROME} Edge/12.246 Mozilla/5.0` } },
    "a mail gateway": { headers: { "User-Agent": "Barracuda Sentinel (EE)" } },
    "Microsoft's preview": { headers: { "User-Agent": `${CHROME} BingPreview/1.0b` } },
    "a messenger's preview": {
      headers: { "User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" },
    },
    "a robot": {
      headers: { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" },
    },
  };

  test.each(Object.keys(MARKS))("%s is answered as everybody and not counted as a person", async (name) => {
    const { pixel, links, campaignId } = await (machines ??= letterTo());
    const load = await api.visit(pixel, MARKS[name]);
    expect([load.status, load.headers.get("content-type")]).toEqual([200, "image/gif"]);
    const click = await api.visit(links[0]!, MARKS[name]);
    expect([click.status, click.headers.get("location")]).toEqual([302, SHOP]);
    expectPrivate(click.headers);
    expect(await api.countsOf(campaignId)).toEqual(NOTHING);
  });
  let machines: ReturnType<typeof letterTo> | undefined;

  const PEOPLE: Record<string, string> = {
    "a browser": CHROME,
    "a reader in Gmail":
      "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    "a reader in Yahoo Mail": "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
    "a reader in Outlook": "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)",
    "a Cubot telephone":
      "Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36",
    "somebody at curl": "curl/8.16.0",
    "nobody says who": "",
  };
  test.each(Object.keys(PEOPLE))("%s is a person", async (name) => {
    const { pixel, links, campaignId } = await letterTo();
    const init = { headers: { "User-Agent": PEOPLE[name]! } };
    await api.visit(pixel, init);
    await api.visit(links[0]!, init);
    expect(await api.countsOf(campaignId)).toEqual({ opened: 1, clicked: 1 });
  });
});
