import { describe, expect, test } from "bun:test";
import { allowed, initialThrottle, onAccepted, onTrouble, type Throttle } from "#mail/smtp/relay/throttle.ts";
import { SECOND } from "../../support/common/durations.ts";

const START = 1_700_000_000_000;

/** One accepted mail a second, for so many seconds. */
function acceptFor(state: Throttle, from: number, seconds: number): Throttle {
  let next = state;
  for (let second = 0; second <= seconds; second++) next = onAccepted(next, from + second * SECOND);
  return next;
}

describe("a relay that says: too fast", () => {
  test("gets half the connections, half the speed, and a minute of rest", () => {
    const busy = acceptFor(initialThrottle(10), START, 5);
    const held = onTrouble(busy, "rate", START + 5 * SECOND);
    expect(allowed(held, START + 6 * SECOND)).toMatchObject({
      connections: 0,
      pausedUntil: START + 65 * SECOND,
    });
    expect(allowed(held, START + 65 * SECOND)).toMatchObject({ connections: 5, pausedUntil: null });
    expect(allowed(held, START + 65 * SECOND).spacingMs).toBeGreaterThanOrEqual(1600);
  });

  test("several refusals within one hold count once", () => {
    const held = onTrouble(initialThrottle(10), "rate", START);
    for (const trouble of ["rate", "config", "block", "down"] as const)
      expect(onTrouble(held, trouble, START + 59 * SECOND)).toBe(held);
  });

  test("never falls below one connection and one mail in ten seconds", () => {
    let state = initialThrottle(10);
    for (let round = 0; round < 20; round++) state = onTrouble(state, "rate", START + round * 60 * SECOND);
    expect(allowed(state, START + 21 * 60 * SECOND)).toEqual({
      connections: 1,
      spacingMs: 10_000,
      pausedUntil: null,
    });
  });

  test("climbs one connection per clean minute, and is free again at the top", () => {
    let state = onTrouble(initialThrottle(4), "rate", START);
    const resumedAt = START + 60 * SECOND;
    state = acceptFor(state, resumedAt, 59);
    expect(allowed(state, resumedAt + 59 * SECOND).connections).toBe(2);
    state = acceptFor(state, resumedAt + 60 * SECOND, 0);
    expect(allowed(state, resumedAt + 60 * SECOND).connections).toBe(3);
    state = acceptFor(state, resumedAt + 61 * SECOND, 59);
    expect(allowed(state, resumedAt + 120 * SECOND)).toEqual({
      connections: 4,
      spacingMs: 0,
      pausedUntil: null,
    });
    state = acceptFor(state, resumedAt + 121 * SECOND, 600);
    expect(allowed(state, resumedAt + 800 * SECOND).connections).toBe(4);
  });

  test("idle time is not a clean minute after minute", () => {
    let state = onTrouble(initialThrottle(8), "rate", START);
    state = onAccepted(state, START + 60 * SECOND);
    state = onAccepted(state, START + 3600 * SECOND);
    expect(allowed(state, START + 3600 * SECOND).connections).toBe(5);
  });

  test("a relay of 20 mails a second refuses less than 5 % and takes all 5,000", () => {
    let state = initialThrottle(10);
    let now = START,
      taken = 0,
      refused = 0,
      secondStart = START,
      inSecond = 0;
    for (let steps = 0; taken < 5000 && steps < 100_000; steps++) {
      const { connections, spacingMs, pausedUntil } = allowed(state, now);
      if (connections === 0) {
        now = pausedUntil ?? now;
        continue;
      }
      if (now - secondStart >= SECOND) {
        secondStart = now;
        inSecond = 0;
      }
      if (inSecond < 20) {
        inSecond++;
        taken++;
        state = onAccepted(state, now);
      } else {
        refused++;
        state = onTrouble(state, "rate", now);
      }
      now += Math.max(spacingMs, 5 / connections);
    }
    expect(taken).toBe(5000);
    expect(refused / (taken + refused)).toBeLessThan(0.05);
  });
});

describe("a relay whose speed is not known", () => {
  const refusedAtOnce = (): Throttle => {
    let state = initialThrottle(10);
    for (let ms = 0; ms < 900; ms++) state = onAccepted(state, START + ms);
    return onTrouble(state, "rate", START + 900);
  };
  const resumedAt = START + 900 + 60 * SECOND;

  test("is not measured by its first second: it is asked twice as much every second", () => {
    let state = refusedAtOnce();
    const spacings = [];
    for (let second = 0; second < 12; second++) {
      state = onAccepted(state, resumedAt + second * SECOND);
      spacings.push(allowed(state, resumedAt + second * SECOND).spacingMs);
    }
    expect(spacings).toEqual([500, 250, 125, 63, 32, 16, 8, 4, 2, 0, 0, 0]);
  });

  test("gets half of what was too much, and climbs from there", () => {
    let state = refusedAtOnce();
    for (let second = 0; second < 6; second++) state = onAccepted(state, resumedAt + second * SECOND);
    expect(allowed(state, resumedAt + 6 * SECOND).spacingMs).toBe(16);
    state = onTrouble(state, "rate", resumedAt + 6 * SECOND);
    const againAt = resumedAt + 66 * SECOND;
    expect(allowed(state, againAt).spacingMs).toBe(32);
    state = acceptFor(state, againAt, 59);
    expect(allowed(state, againAt + 59 * SECOND).spacingMs).toBe(32);
  });

  test("a trickle before it is no speed either", () => {
    let state = initialThrottle(10);
    for (let n = 0; n < 100; n++) state = onAccepted(state, START + n * 3 * SECOND);
    state = onTrouble(state, "rate", START + 300 * SECOND);
    expect(allowed(state, START + 360 * SECOND)).toMatchObject({ connections: 5, spacingMs: 500 });
  });
});

describe("a clock that was a day ahead", () => {
  const AHEAD = START + 24 * 3600 * SECOND;

  test("does not keep a relay slow for a day when its speed is known", () => {
    let state = onTrouble(acceptFor(initialThrottle(4), AHEAD, 5), "rate", AHEAD + 5 * SECOND);
    state = acceptFor(state, AHEAD + 65 * SECOND, 1);
    expect(allowed(state, START)).toMatchObject({ connections: 2, pausedUntil: null });
    state = acceptFor(state, START, 180);
    expect(allowed(state, START + 180 * SECOND)).toEqual({
      connections: 4,
      spacingMs: 0,
      pausedUntil: null,
    });
  });

  test("does not keep it slow while its speed is searched", () => {
    let state = onTrouble(initialThrottle(10), "rate", AHEAD);
    state = onAccepted(state, AHEAD + 61 * SECOND);
    state = acceptFor(state, START, 12);
    expect(allowed(state, START + 12 * SECOND).spacingMs).toBe(0);
  });
});

describe("a relay that loses messages at the dot", () => {
  test("gets one connection and longer and longer pauses, whatever it accepts between", () => {
    let state = initialThrottle(10);
    let now = START;
    for (const seconds of [5, 15, 30, 60, 120, 240, 480, 900, 900]) {
      state = onTrouble(state, "losing", now);
      expect(allowed(state, now).pausedUntil).toBe(now + seconds * SECOND);
      now += seconds * SECOND;
      for (let n = 0; n < 49; n++) state = onAccepted(state, now);
      expect(allowed(state, now)).toEqual({ connections: 1, spacingMs: 0, pausedUntil: null });
    }
  });

  test("is trusted again after fifty in a row, and then the first pause is short again", () => {
    let state = onTrouble(onTrouble(initialThrottle(10), "losing", START), "losing", START + 5 * SECOND);
    const now = START + 60 * SECOND;
    for (let n = 0; n < 50; n++) state = onAccepted(state, now);
    expect(allowed(state, now).connections).toBe(10);
    expect(allowed(onTrouble(state, "losing", now), now).pausedUntil).toBe(now + 5 * SECOND);
  });

  test("costs about a hundred messages in a first day", () => {
    let state = initialThrottle(10);
    let [now, lost] = [START, 0];
    while (now < START + 24 * 3600 * SECOND) {
      state = onTrouble(onAccepted(state, now), "losing", now);
      lost++;
      now = allowed(state, now).pausedUntil!;
    }
    expect(lost).toBeWithin(90, 110);
  });
});

describe("a relay that refuses us or is away", () => {
  test.each(["config", "block", "down"] as const)(
    "%s: pauses of 5, 15, 30, 60 and then always 60 s, one probe each",
    (trouble) => {
      let state = initialThrottle(10);
      let now = START;
      for (const seconds of [5, 15, 30, 60, 60, 60]) {
        state = onTrouble(state, trouble, now);
        expect(allowed(state, now)).toEqual({
          connections: 0,
          spacingMs: 0,
          pausedUntil: now + seconds * SECOND,
        });
        now += seconds * SECOND;
        expect(allowed(state, now)).toEqual({ connections: 1, spacingMs: 0, pausedUntil: null });
      }
    },
  );

  test("one accepted mail ends it, and the next pause is short again", () => {
    let state = initialThrottle(10);
    for (let round = 0; round < 5; round++) state = onTrouble(state, "config", START + round * 60 * SECOND);
    const now = START + 600 * SECOND;
    state = onAccepted(state, now);
    expect(allowed(state, now)).toEqual({ connections: 10, spacingMs: 0, pausedUntil: null });
    expect(allowed(onTrouble(state, "down", now), now).pausedUntil).toBe(now + 5 * SECOND);
  });

  test("a mail that was under way when the pause began does not end it", () => {
    const held = onTrouble(initialThrottle(10), "down", START);
    expect(onAccepted(held, START + SECOND)).toBe(held);
  });

  test("a clock set back by an hour does not stop the relay for an hour", () => {
    const held = onTrouble(initialThrottle(10), "down", START);
    expect(allowed(held, START - 3600 * SECOND).connections).toBe(1);
  });
});
