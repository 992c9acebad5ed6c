import { describe, expect, test } from "bun:test";
import { afterFailure, isGivenUp, WELL, type Health } from "#webhooks/calls/health.ts";
import { Lane } from "#webhooks/calls/lane.ts";
import { Pace } from "#webhooks/calls/pace.ts";
import { retryAt } from "#webhooks/calls/retry.ts";
import { judgeAttempt, type AttemptInput } from "#webhooks/calls/verdict.ts";
import { MINUTE, HOUR, DAY } from "../../support/common/durations.ts";

const NOW = Date.UTC(2026, 0, 5, 9);

const input = (more: Partial<AttemptInput>): AttemptInput => ({
  status: 500,
  askedPauseMs: 0,
  tries: 0,
  firstTriedAt: null,
  dueAt: NOW,
  health: WELL,
  begunAt: NOW,
  now: NOW,
  jitter: 0.5,
  ...more,
});

describe("an attempt", () => {
  test.each([
    [
      "200 delivers, and makes the endpoint well",
      { status: 200, health: { failures: 9, failingSince: 1, resumeAt: 2 } },
      "DELIVERED",
      null,
    ],
    ["500 is tried again in a minute", { status: 500 }, "PENDING", NOW + MINUTE],
    ["no answer too", { status: null }, "PENDING", NOW + MINUTE],
    [
      "a pause that was asked for is kept",
      { status: 429, askedPauseMs: 2 * HOUR, jitter: 0 },
      "PENDING",
      NOW + 2 * HOUR,
    ],
    ["410 is the end", { status: 410 }, "FAILED", null],
    ["after three days it has failed", { tries: 14, firstTriedAt: NOW - 3 * DAY }, "FAILED", null],
    [
      "days in which it was overdue do not count",
      { tries: 1, firstTriedAt: NOW - 4 * DAY, dueAt: NOW - 4 * DAY + MINUTE },
      "PENDING",
      NOW + 5 * MINUTE,
    ],
    ["an hour does", { tries: 13, firstTriedAt: NOW - 3 * DAY, dueAt: NOW - HOUR }, "FAILED", null],
    [
      "before that, the last try is at their end",
      { tries: 13, firstTriedAt: NOW - 3 * DAY + HOUR },
      "PENDING",
      NOW + HOUR,
    ],
  ] as const)("%s", (_, more, state, nextAttemptAt) => {
    expect(judgeAttempt(input(more))).toMatchObject({ state, nextAttemptAt });
  });

  test("is tried for three days with growing pauses, ±20 %, the first under two minutes", () => {
    const pauses = (jitter: number): number[] => {
      const all: number[] = [];
      for (let [now, attempts] = [0, 1]; ; attempts++) {
        const at = retryAt({ attempts, firstAttemptAt: 0, now, jitter, askedPauseMs: 0 });
        if (at === null) return all;
        all.push((at - now) / MINUTE);
        now = at;
      }
    };
    expect(pauses(0.5).slice(0, 7)).toEqual([1, 5, 15, 60, 180, 480, 480]);
    expect(pauses(0.5).reduce((sum, minutes) => sum + minutes, 0)).toBe(3 * 24 * 60);
    for (const jitter of [0, 0.999]) expect(pauses(jitter)[0]).toBeLessThan(2);
    expect(pauses(0)[1]).toBeCloseTo(4);
    expect(pauses(1)[1]).toBeCloseTo(6);
  });

  test("of a webhook without success for three days disables it; with one in between, it does not", () => {
    const failing = { failures: 20, failingSince: NOW - 3 * DAY, resumeAt: 0 };
    expect(judgeAttempt(input({ health: failing })).disabledReason).toContain("three days");
    expect(
      judgeAttempt(input({ health: { ...failing, failingSince: NOW - 3 * DAY + 1 } })).disabledReason,
    ).toBeNull();
    expect(judgeAttempt(input({ health: failing, status: 200 }))).toMatchObject({
      health: WELL,
      disabledReason: null,
    });
    expect(isGivenUp(WELL, NOW)).toBe(false);
  });
});

describe("an endpoint that fails", () => {
  /** Failures one after the other, each begun when the rest before was over. */
  const restsOf = (failures: number): number[] => {
    const rests: number[] = [];
    let health: Health = WELL;
    for (let now = NOW; rests.length < failures; now = health.resumeAt) {
      health = afterFailure(health, { begunAt: now, now, jitter: 0.5, askedPauseMs: 0 });
      rests.push((health.resumeAt - now) / MINUTE);
    }
    return rests;
  };

  test("rests from the fifth failure in a row on, longer and longer, an hour at most", () => {
    expect(restsOf(12)).toEqual([0, 0, 0, 0, 1, 2, 5, 15, 30, 60, 60, 60]);
  });

  test("is failing since the first of them, whatever came after it", () => {
    const failed = (health: Health, now: number) =>
      afterFailure(health, { begunAt: now, now, jitter: 0.5, askedPauseMs: 0 });
    const first = failed(WELL, NOW);
    expect([first.failingSince, failed(first, NOW + HOUR).failingSince]).toEqual([NOW, NOW]);
  });

  test("requests that were under way when the rest began make it no longer", () => {
    const resting: Health = { failures: 5, failingSince: NOW, resumeAt: NOW + MINUTE };
    expect(afterFailure(resting, { begunAt: NOW - 1, now: NOW + 10, jitter: 0.5, askedPauseMs: 0 })).toEqual(
      resting,
    );
    const asked = afterFailure(resting, { begunAt: NOW - 1, now: NOW, jitter: 0.5, askedPauseMs: HOUR });
    expect(asked).toEqual({ ...resting, resumeAt: NOW + HOUR });
  });
});

describe("a lane", () => {
  const endpoint = { number: 1, workspaceId: "ws", url: "", secrets: [], health: WELL, dueAt: NOW };
  const due = (n: number) => Array.from({ length: n }, (_, number) => ({ number, id: "", body: "" }));

  test("gets more room while its endpoint answers quickly, less where it is slow, and one request where it fails", () => {
    const lane = new Lane(endpoint, false);
    lane.take(due(100));
    const rooms = [lane.room];
    const answer = (isDelivered: boolean, ms: number): void => {
      const one = lane.begin();
      lane.end(one!.number, isDelivered, ms);
      rooms.push(lane.room);
    };
    for (let i = 0; i < 10; i++) answer(true, 50);
    for (let i = 0; i < 10; i++) answer(true, 5_000);
    expect(rooms).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 2, 2]);
    lane.endpoint = { ...endpoint, health: { failures: 1, failingSince: NOW, resumeAt: NOW } };
    expect(lane.room).toBe(1);
  });

  test("reads more only when it has begun what it read, and not again when there was nothing", () => {
    const lane = new Lane(endpoint, false);
    expect([lane.needsMore, lane.hasNext]).toEqual([true, false]);
    lane.take(due(1));
    expect([lane.needsMore, lane.hasNext]).toEqual([false, true]);
    lane.begin();
    expect([lane.needsMore, [...lane.underWay]]).toEqual([true, [0]]);
    lane.take([]);
    expect(lane.needsMore).toBe(false);
    lane.renew(endpoint, true);
    expect([lane.needsMore, lane.allowPrivate]).toEqual([true, true]);
  });

  test("drops what it read when its messages have changed, and knows that by its version", () => {
    const lane = new Lane(endpoint, false);
    const { version } = lane;
    lane.take(due(3));
    lane.empty();
    expect([lane.hasNext, lane.begin(), lane.version]).toEqual([false, null, version + 1]);
  });

  test("begins anew with few requests after a failure", () => {
    const lane = new Lane(endpoint, false);
    for (let number = 0; number < 5; number++) lane.end(number, true, 50);
    expect(lane.room).toBe(7);
    lane.end(5, false, 50);
    expect(lane.room).toBe(2);
  });
});

test("while mail goes out, few requests begin; what has been due for half a minute waits no longer", () => {
  const pace = new Pace();
  const begun = (dueAt: number, monotonicMs: number, isSending = true): number =>
    Array.from({ length: 100 }, () => pace.takes({ isSending, dueAt, now: NOW, monotonicMs })).filter(Boolean)
      .length;
  expect(begun(NOW, 0, false)).toBe(100);
  expect(begun(NOW, 0)).toBe(10);
  expect(begun(NOW, 99)).toBe(0);
  expect(begun(NOW, 100)).toBe(10);
  expect(begun(NOW - 30_000, 150)).toBe(100);
});
