import { describe, expect, test } from "bun:test";
import { GROWING_PAUSES_MS, nextAttempt } from "#core/time/backoff.ts";
import { giveUpAfterMs, nextTry } from "#deliveries/sender/retry-times.ts";
import { MINUTE, HOUR } from "../../support/common/durations.ts";

const START = 1_700_000_000_000;
const calm = {
  firstAttemptAt: START,
  now: START,
  minPauseMs: 0,
  pausesMs: GROWING_PAUSES_MS,
  giveUpAfterMs: 100 * HOUR,
  jitter: 0.5,
};

describe("pauses between attempts", () => {
  test.each([
    [1, MINUTE],
    [2, 5 * MINUTE],
    [3, 15 * MINUTE],
    [4, HOUR],
    [5, 3 * HOUR],
    [6, 8 * HOUR],
    [7, 8 * HOUR],
    [100, 8 * HOUR],
  ])("after attempt %d: %d ms, give or take 20 %", (attempts, pauseMs) => {
    expect(nextAttempt({ ...calm, attempts })).toEqual({ at: START + pauseMs });
    expect(nextAttempt({ ...calm, attempts, jitter: 0 })).toEqual({ at: START + pauseMs * 0.8 });
    expect(nextAttempt({ ...calm, attempts, jitter: 1 })).toEqual({ at: START + pauseMs * 1.2 });
  });

  test("a server that asks for more time gets it", () => {
    expect(nextAttempt({ ...calm, attempts: 1, jitter: 0, minPauseMs: 5 * MINUTE })).toEqual({
      at: START + 5 * MINUTE,
    });
    expect(nextAttempt({ ...calm, attempts: 4, minPauseMs: 5 * MINUTE })).toEqual({ at: START + HOUR });
  });
});

describe("a least pause", () => {
  test("is kept, and still not everybody comes back at the same instant", () => {
    for (const attempts of [1, 2, 3]) {
      const at = (jitter: number) =>
        nextAttempt({ ...calm, attempts, jitter, minPauseMs: 5 * MINUTE })!.at - START;
      expect(at(0)).toBeGreaterThanOrEqual(5 * MINUTE);
      expect(at(0.5)).toBeGreaterThan(at(0));
      expect(at(1)).toBeGreaterThan(at(0.5));
    }
  });

  test("is spread above itself: 5 to 6 minutes for 5", () => {
    const at = (jitter: number) => nextAttempt({ ...calm, attempts: 1, jitter, minPauseMs: 5 * MINUTE });
    expect(at(0)).toEqual({ at: START + 5 * MINUTE });
    expect(at(1)).toEqual({ at: START + 6 * MINUTE });
  });
});

describe("giving up", () => {
  test("campaigns and confirmations after 24 hours, transactional mail after 9 seconds", () => {
    expect(giveUpAfterMs).toEqual({
      campaign: 24 * HOUR,
      automation: 24 * HOUR,
      transactional: 9_000,
      confirmation: 24 * HOUR,
    });
  });

  test.each([0, 0.5, 1])("the last try is exactly at the end, then there is none (jitter %d)", (jitter) => {
    for (const limit of Object.values(giveUpAfterMs)) {
      const tries: number[] = [];
      let now = START;
      for (let attempts = 1; attempts < 50; attempts++) {
        const next = nextAttempt({
          attempts,
          firstAttemptAt: START,
          now,
          minPauseMs: 0,
          pausesMs: GROWING_PAUSES_MS,
          giveUpAfterMs: limit,
          jitter,
        });
        if (next === null) break;
        expect(next.at).toBeGreaterThan(now);
        tries.push(next.at);
        now = next.at;
      }
      expect(tries.at(-1)).toBe(START + limit);
      expect(tries.length).toBeLessThan(10);
    }
  });
});

describe("mail that no caller waits for", () => {
  const tries = { firstAttemptAt: START, minPauseMs: 0, jitter: 0.5 };

  test.each(["campaign", "automation", "confirmation"] as const)(
    "does not fail because nothing was tried for long: a %s has every pause once",
    (kind) => {
      let now = START + 3 * 24 * HOUR;
      const pauses: number[] = [];
      for (let attempts = 2; ; attempts++) {
        const next = nextTry(kind, { ...tries, attempts, now });
        if (next === null) break;
        pauses.push((next.at - now) / MINUTE);
        now = next.at;
      }
      expect(pauses).toEqual([5, 15, 60, 180, 480]);
    },
  );

  test("still fails a day after its first try if it was tried all the time", () => {
    const now = START + 24 * HOUR;
    expect(nextTry("campaign", { ...tries, attempts: 8, now })).toBeNull();
    expect(nextTry("campaign", { ...tries, attempts: 8, now: now - MINUTE })).toEqual({ at: now });
  });

  test("fails after as many tries, if the clock was ahead at the first", () => {
    const now = START - 365 * 24 * HOUR;
    expect(nextTry("campaign", { ...tries, attempts: 6, now })).toEqual({ at: now + 8 * HOUR });
    expect(nextTry("campaign", { ...tries, attempts: 7, now })).toBeNull();
  });

  test("a request fails when its time is over, however few its tries were", () => {
    expect(nextTry("transactional", { ...tries, attempts: 1, now: START + 9_000 })).toBeNull();
  });
});
