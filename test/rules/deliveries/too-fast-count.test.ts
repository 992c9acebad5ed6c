import { expect, test } from "bun:test";
import { HOUR_MS } from "#core/time/time.ts";
import { TooFastCount } from "#deliveries/sender/too-fast-count.ts";

/** One of many recipients of a domain is asked each half hour. Returns after how many hours the first one fails. */
function failsAfter(
  count: TooFastCount,
  from: number,
  hours: number,
  isOfDomain: (half: number) => boolean = () => true,
): number | null {
  for (let half = 0; half <= 2 * hours; half++)
    if (count.refused(from + half, "a.example", isOfDomain(half), (from + half) * (HOUR_MS / 2)))
      return half / 2;
  return null;
}

test("a domain's day is the sum of all its recipients' answers, and begins anew when it takes a message", () => {
  const count = new TooFastCount();
  expect(failsAfter(count, 0, 23)).toBeNull();
  count.accepted("a.example", 23.2 * HOUR_MS);
  expect(failsAfter(count, 47, 40)).toBe(24);
});

test("what another domain takes changes nothing for it", () => {
  const count = new TooFastCount();
  expect(failsAfter(count, 0, 23)).toBeNull();
  count.accepted("b.example", 23.2 * HOUR_MS);
  expect(failsAfter(count, 47, 40)).toBe(0.5);
});

test("nobody fails by a quota of the relay, also not at a domain that has had its day", () => {
  expect(failsAfter(new TooFastCount(), 0, 100, (half) => half > 0)).toBeNull();
  const count = new TooFastCount();
  expect(failsAfter(count, 0, 30)).toBe(24);
  expect(failsAfter(count, 49, 30, (half) => half > 0)).toBeNull();
});

test("a gap in which nobody was asked counts little, and after a day without an answer the time begins anew", () => {
  const answers = (gapHours: number): boolean => {
    const count = new TooFastCount();
    expect(failsAfter(count, 0, 22)).toBeNull();
    return count.refused(1, "a.example", true, (22 + gapHours) * HOUR_MS);
  };
  expect([answers(23), answers(60)]).toEqual([false, false]);
  const count = new TooFastCount();
  expect(failsAfter(count, 0, 24)).toBe(24);
  expect(failsAfter(count, 48 + 2 * 25, 40)).toBe(24);
});
