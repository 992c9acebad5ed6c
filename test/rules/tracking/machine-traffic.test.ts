import { expect, test } from "bun:test";
import { ClickTrails } from "#tracking/click-trails.ts";
import { isMachine } from "#tracking/machine.ts";
import { isOpenedTooSoon, isSweep } from "#tracking/suspicion.ts";
import { dice } from "../../support/common/dice.ts";

/**
 * Failure catalogue A-05: 1,000 recipients of each kind, with what is known about each kind. Here a suspicion
 * counts as "machine" too, because the question is whether the report can tell them apart. A machine that
 * poses as a browser, waits like a person and follows one link cannot be found out, and is not among them.
 */
const EACH = 1_000;
const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";

type Request = { afterMs: number; link: number | null; method?: string; headers?: Record<string, string> };
type Visit = { linkCount: number; requests: readonly Request[] };
type Kind = (roll: () => number) => Visit;

const agent = (name: string) => ({ "User-Agent": name });
const linkCountOf = (roll: () => number): number => 2 + Math.floor(roll() * 9);
const sweep = (linkCount: number, firstMs: number, gapMs: number, rest: Partial<Request> = {}): Request[] =>
  Array.from({ length: linkCount }, (_, link) => ({ afterMs: firstMs + link * gapMs, link, ...rest }));

const opening =
  (headers: Record<string, string>, withinMs: number): Kind =>
  (roll) => ({
    linkCount: linkCountOf(roll),
    requests: [{ afterMs: roll() * withinMs, link: null, headers }],
  });

const MACHINES: Record<string, Kind> = {
  "a scanner's HEAD of every link": (roll) => {
    const linkCount = linkCountOf(roll);
    return { linkCount, requests: sweep(linkCount, roll() * 60_000, 3_000, { method: "HEAD" }) };
  },
  "a browser's prefetch": opening({ ...agent(CHROME), "Sec-Purpose": "prefetch" }, 86_400_000),
  "Apple's mail privacy": opening(agent("Mozilla/5.0"), 86_400_000),
  "Gmail's fetch ahead": opening(agent(`${CHROME} Edge/12.246 Mozilla/5.0`), 86_400_000),
  "a gateway by its name": opening(agent("Barracuda Sentinel (EE)"), 60_000),
  "a gateway posing as a browser, at delivery": opening(agent(CHROME), 1_500),
  "a sandbox posing as a browser, that follows every link": (roll) => {
    const linkCount = linkCountOf(roll);
    const gapMs = (roll() * 4_500) / linkCount;
    return {
      linkCount,
      requests: sweep(linkCount, 2_500 + roll() * 600_000, gapMs, { headers: agent(CHROME) }),
    };
  },
};

/**
 * Opens after half a minute or hours, mostly late. Now and then it follows some links and reads between them.
 */
const reader =
  (name: string): Kind =>
  (roll) => {
    const linkCount = linkCountOf(roll);
    let afterMs = 2_500 - Math.log(1 - roll()) * 3_600_000;
    const requests: Request[] = [{ afterMs, link: null, headers: agent(name) }];
    for (let chance = 0.4; roll() < chance; chance *= 0.6) {
      afterMs += 1_500 - Math.log(1 - roll()) * 30_000;
      const link = Math.floor(roll() * linkCount);
      requests.push({ afterMs, link, headers: agent(CHROME) });
      // A double click.
      if (roll() < 0.2) requests.push({ afterMs: afterMs + 200, link, headers: agent(CHROME) });
    }
    return { linkCount, requests };
  };

const PEOPLE: Record<string, Kind> = {
  "a browser": reader(CHROME),
  Thunderbird: reader("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Thunderbird/145.0"),
  "Gmail's proxy": reader(
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  ),
  "Yahoo's proxy": reader("YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html"),
  Outlook: reader("Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)"),
  "no name": reader(""),
  "many tabs at once, two by two": (roll) => {
    const afterMs = 30_000 + roll() * 3_600_000;
    const clicks = [0, 1].map((link) => ({ afterMs: afterMs + link * 700, link, headers: agent(CHROME) }));
    return { linkCount: 3 + Math.floor(roll() * 8), requests: clicks };
  },
};

/** Whether a recipient looks like a person in the report: an unmarked hit came, and nothing was suspected. */
function isSeenAsPerson({ linkCount, requests }: Visit, message: number, trails: ClickTrails): boolean {
  const acceptedAt = Date.UTC(2026, 10, 21, 9) + message * 10 * 86_400_000;
  let isPerson = false;
  for (const { afterMs, link, method = "GET", headers = {} } of requests) {
    const held = new Headers(headers);
    if (isMachine(method, (name) => held.get(name))) continue;
    const at = acceptedAt + Math.round(afterMs);
    const clickedAt = link === null ? [] : trails.add(message, link, at);
    if (
      link === null ? isOpenedTooSoon(at, acceptedAt) : isSweep(clickedAt, clickedAt.length === linkCount, at)
    )
      return false;
    isPerson = true;
  }
  return isPerson;
}

function peopleAmong(kind: Kind): number {
  const roll = dice(20_261_121).fraction;
  const trails = new ClickTrails(100);
  let people = 0;
  for (let message = 0; message < EACH; message++) {
    if (isSeenAsPerson(kind(roll), message, trails)) people++;
  }
  return people;
}

test.each(Object.keys(MACHINES))("of 1,000 machines fewer than 1 %% pass for people: %s", (name) =>
  expect(peopleAmong(MACHINES[name]!)).toBeLessThan(EACH * 0.01),
);

test.each(Object.keys(PEOPLE))("of 1,000 people fewer than 1 %% are taken for machines: %s", (name) =>
  expect(EACH - peopleAmong(PEOPLE[name]!)).toBeLessThan(EACH * 0.01),
);
