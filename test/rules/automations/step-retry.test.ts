import { describe, expect, test } from "bun:test";
import { retryCrashAt, retryStartAt, retryStepAt, triedSince } from "#automations/run/step/retry.ts";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "#core/time/time.ts";

describe("a step of an automation that cannot be done", () => {
  test("is tried for a day, soon after somebody may have set what is missing; then it has FAILED", () => {
    const pauses: number[] = [];
    let [now, attempts] = [0, 1];
    for (;;) {
      const at = retryStepAt({ attempts, firstAttemptAt: 0, now, jitter: 0.5 });
      if (at === null) break;
      pauses.push((at - now) / MINUTE_MS);
      [now, attempts] = [at, attempts + 1];
    }
    expect(pauses.slice(0, 6)).toEqual([1, 5, 15, 30, 30, 30]);
    expect(Math.max(...pauses)).toBe(30);
    expect(now).toBe(24 * HOUR_MS);
    expect(retryStepAt({ attempts: 99, firstAttemptAt: 0, now: 24 * HOUR_MS, jitter: 0 })).toBeNull();
  });

  test("does not count the time in which it was long overdue, nor a first try in the future", () => {
    const first = 100 * HOUR_MS;
    const due = first + HOUR_MS;
    expect(triedSince(null, due, due + 50 * HOUR_MS)).toBeNull();
    expect(triedSince(first, due, due + HOUR_MS)).toBe(first);
    expect(triedSince(first, due, due + 30 * HOUR_MS)).toBe(first + 30 * HOUR_MS);
    expect(triedSince(first, due, first - 50 * HOUR_MS)).toBe(first - 50 * HOUR_MS);
  });

  test("because it throws is tried three times in all, a minute apart", () => {
    expect([1, 2, 3, 4].map((crashes) => retryCrashAt(crashes, 5000))).toEqual([65_000, 65_000, null, null]);
  });
});

describe("a trigger that threw", () => {
  const tries = { firstAttemptAt: 10 * DAY_MS, jitter: 0.5 };

  test("has each of the pauses once, also if it happened long before its first try, or in the future", () => {
    for (const now of [13 * DAY_MS, 2 * DAY_MS]) {
      const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempts) => retryStartAt({ ...tries, attempts, now }));
      expect(pauses.map((at) => at && (at - now) / MINUTE_MS)).toEqual([1, 5, 15, 60, 180, 480, null]);
    }
  });

  test("is given up after a day if it was tried all the time", () => {
    expect(retryStartAt({ ...tries, attempts: 8, now: 11 * DAY_MS - HOUR_MS })).toBe(11 * DAY_MS);
    expect(retryStartAt({ ...tries, attempts: 9, now: 11 * DAY_MS })).toBeNull();
  });
});
