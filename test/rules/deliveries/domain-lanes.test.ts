import { describe, expect, test } from "bun:test";
import { countOne, minuteOf, roomAt, sentInHour, type HourCount } from "#deliveries/domains/hour-count.ts";
import { Lanes } from "#deliveries/domains/lanes.ts";
import { onComplaint, onTaken, paceOf, type Slowing } from "#deliveries/domains/slowing.ts";
import { judgeComplaint, noSigns, onOffered, type Signs } from "#deliveries/domains/whose-complaint.ts";
import { present } from "#core/present.ts";
import { MINUTE, HOUR } from "../../support/common/durations.ts";

const NOW = Date.UTC(2026, 11, 1, 9, 0, 30);

describe("the messages of an hour", () => {
  const sentAt = (...times: number[]): HourCount => times.reduce<HourCount>(countOne, []);

  test("are never more than the limit in any sixty minutes, at whatever second they went out", () => {
    let seed = 7;
    const dice = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const sent: number[] = [];
    let count: HourCount = [];
    for (let now = NOW; now < NOW + 6 * HOUR; now += Math.floor(dice() * 90_000)) {
      if (roomAt(count, 20, now) !== null) continue;
      count = countOne(count, now);
      sent.push(now);
    }
    const inHourFrom = (from: number): number => sent.filter((at) => at >= from && at < from + HOUR).length;
    expect(Math.max(...sent.map(inHourFrom))).toBe(20);
    expect(count.length).toBeLessThan(63);
  });

  test("leave one by one, an hour after the end of their minute, and then there is room", () => {
    const count = sentAt(NOW, NOW, NOW + 5 * MINUTE);
    const first = minuteOf(NOW) + MINUTE + HOUR;
    expect([sentInHour(count, NOW + 5 * MINUTE), roomAt(count, 4, NOW + 5 * MINUTE)]).toEqual([3, null]);
    expect(roomAt(count, 3, NOW + 5 * MINUTE)).toBe(first);
    expect(roomAt(count, 1, NOW + 5 * MINUTE)).toBe(first + 5 * MINUTE);
    expect([sentInHour(count, first - 1), sentInHour(count, first)]).toEqual([3, 1]);
  });

  test("still count after the clock was set back a little; those that lie far ahead count no longer", () => {
    expect(sentInHour(sentAt(NOW + 3 * HOUR), NOW)).toBe(0);
    expect(sentInHour(sentAt(NOW), minuteOf(NOW) - 1)).toBe(1);
    const back = NOW - 30 * MINUTE;
    const count = countOne(sentAt(NOW, NOW), back);
    expect([sentInHour(count, back), roomAt(count, 4, back)]).toEqual([3, null]);
    expect(roomAt(count, 3, back)).toBe(minuteOf(back) + MINUTE + HOUR);
    expect(roomAt(count, 2, back)).toBe(minuteOf(NOW) + MINUTE + HOUR);
  });
});

describe("a domain that is slowed down", () => {
  const slow = (slowing: Slowing | null, now: number, jitter = 0): Slowing =>
    onComplaint(slowing, { now, connections: 8, jitter });

  test.each([0, 0.5, 1])("is held longer each time in a row, with a spread of %p", (jitter) => {
    let slowing: Slowing | null = null;
    let now = NOW;
    const minutes: number[] = [];
    for (let times = 0; times < 8; times++) {
      slowing = slow(slowing, now, jitter);
      const until = present(paceOf(slowing, now).heldUntil, "end of a hold");
      minutes.push((until - now) / MINUTE / (1 + 0.4 * jitter));
      now = until;
    }
    expect(minutes.map(Math.round)).toEqual([1, 2, 4, 8, 15, 30, 30, 30]);
    expect(slowing?.since).toBe(NOW);
  });

  test("gets half the connections and few messages at first, and in time all of them again", () => {
    let slowing: Slowing | null = slow(null, NOW);
    expect(paceOf(slowing, NOW)).toMatchObject({ heldUntil: NOW + MINUTE });
    let now = NOW + MINUTE;
    expect(paceOf(slowing, now)).toEqual({ connections: 4, spacingMs: 500, heldUntil: null });
    for (; slowing !== null && now < NOW + HOUR; now += 500) slowing = onTaken(slowing, now);
    expect(slowing).toBeNull();
    expect((now - NOW) / MINUTE).toBeWithin(4, 7);
  });

  test("complaints and yeses that belong to messages from before a hold change nothing", () => {
    const slowing = slow(null, NOW);
    expect(slow(slowing, NOW + 1_000)).toBe(slowing);
    expect(onTaken(slowing, NOW + 1_000)).toBe(slowing);
  });

  test("begins with short holds again after a minute of accepted mail", () => {
    let slowing: Slowing | null = slow(slow(null, NOW), NOW + 2 * MINUTE);
    const from = NOW + 5 * MINUTE;
    for (let now = from; now < from + 70_000; now += 1_000)
      slowing = onTaken(present(slowing, "slowing"), now);
    const again = slow(slowing, from + 70_000);
    expect(again.heldUntil - (from + 70_000)).toBe(MINUTE);
  });

  test("a clock that is set back ends a hold", () => {
    expect(paceOf(slow(null, NOW), NOW - HOUR).heldUntil).toBeNull();
  });
});

describe("a complaint about our speed is", () => {
  const offered = (...domains: string[]): Signs =>
    domains.reduce((signs, domain) => onOffered(signs, domain, NOW), noSigns);
  const verdicts = (signs: Signs, ...complaints: (readonly [string, number])[]): string[] =>
    complaints.map(([domain, at]) => {
      const judged = judgeComplaint(signs, domain, at);
      signs = judged.signs;
      return judged.of;
    });

  test.each([
    ["the relay's where no other domain is in play", ["a"], [["a", NOW]], ["relay"]],
    ["the domain's where others are", ["a", "b"], [["a", NOW]], ["domain"]],
    [
      "the relay's where both of two complain",
      ["a", "b"],
      [
        ["a", NOW],
        ["b", NOW],
      ],
      ["domain", "relay"],
    ],
    [
      "the domain's however often",
      ["a", "b"],
      [
        ["a", NOW],
        ["a", NOW + 9],
      ],
      ["domain", "domain"],
    ],
    [
      "the relay's at the third of many",
      ["a", "b", "c", "d", "e"],
      [
        ["a", NOW],
        ["e", NOW + 1],
        ["c", NOW + 2],
      ],
      ["domain", "domain", "relay"],
    ],
    [
      "the domains' where they are more than a minute apart",
      ["a", "b", "c"],
      [
        ["a", NOW],
        ["b", NOW + 50_000],
      ],
      ["domain", "domain"],
    ],
  ] as const)("%s", (_, domains, complaints, expected) => {
    expect(verdicts(offered(...domains), ...complaints)).toEqual([...expected]);
  });

  test("the relay's where the others got their mail more than a minute ago", () => {
    expect(verdicts(offered("a", "b", "c"), ["a", NOW + MINUTE + 1])).toEqual(["relay"]);
  });
});

describe("lanes", () => {
  const limit = { domains: ["a.example", "b.example"], perHour: 3, connections: 2 };

  test("hold what is above a limit back, together for all domains of one", () => {
    const lanes = new Lanes();
    expect([lanes.isEmpty, lanes.of("a.example")]).toEqual([true, null]);
    lanes.limit([limit], () => [{ at: minuteOf(NOW), n: 1 }]);
    const lane = present(lanes.of("b.example"), "lane");
    expect(lanes.of("a.example")).toBe(lane);
    expect(lane.opening(NOW)).toEqual({ isOpen: true });
    lane.taken(NOW);
    lane.taken(NOW);
    expect(lane.opening(NOW)).toEqual({ isOpen: false, until: null });
    lane.counted(NOW);
    lane.counted(NOW);
    lane.ended();
    lane.ended();
    expect(lane.opening(NOW)).toEqual({ isOpen: false, until: minuteOf(NOW) + MINUTE + HOUR });
    expect(lane.waitsFor(NOW)).toBe("a.example and 1 more (3 messages an hour)");
  });

  test("keep what they know where a limit changes, and are gone where nothing is left of it", () => {
    const lanes = new Lanes();
    lanes.limit([limit], () => []);
    const lane = lanes.of("a.example");
    lanes.limit([{ ...limit, perHour: 9 }], () => []);
    expect(lanes.of("a.example")).toBe(lane);
    lanes.complained("a.example", { now: NOW, connections: 2, jitter: 0 });
    lanes.limit([{ ...limit, domains: ["a.example"] }], () => []);
    expect(present(lanes.of("a.example"), "lane").slowing).not.toBeNull();
    expect(lanes.slowed()).toHaveLength(2);
    const free = new Lanes();
    free.limit([limit], () => []);
    free.limit([], () => []);
    expect(free.isEmpty).toBe(true);
  });

  test("a domain that becomes free and is slowed again has the same lane", () => {
    const lanes = new Lanes();
    expect(lanes.complained("a.example", { now: NOW, connections: 2, jitter: 0 })).toBe(true);
    const lane = lanes.of("a.example");
    for (let now = NOW; !lanes.isEmpty && now < NOW + HOUR; now += 1_000)
      lanes.countAccepted("a.example", now);
    expect(lanes.of("a.example")).toBeNull();
    lanes.complained("a.example", { now: NOW + HOUR, connections: 2, jitter: 0 });
    expect(lanes.of("a.example")).toBe(lane);
  });

  test("five refusals in a row are a sign, with a yes between them they are none", () => {
    const lanes = new Lanes();
    const four = [1, 2, 3, 4].map(() => lanes.countRefusal("a.example"));
    lanes.countAccepted("a.example", NOW);
    expect([...four, lanes.countRefusal("a.example")]).toEqual([false, false, false, false, false]);
    for (let n = 0; n < 5_000; n++) lanes.countRefusal(`d${n}.example`);
    const five = [1, 2, 3, 4, 5].map(() => lanes.countRefusal("z.example"));
    expect(five).toEqual([false, false, false, false, true]);
  });
});
