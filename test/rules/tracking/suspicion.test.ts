import { describe, expect, test } from "bun:test";
import { ClickTrails } from "#tracking/click-trails.ts";
import { isOpenedTooSoon, isSweep } from "#tracking/suspicion.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

describe("an open", () => {
  const OPENS: readonly (readonly [afterMs: number, isSuspected: boolean])[] = [
    [0, true],
    [2_000, true],
    [2_001, false],
    [60_000, false],
    // The ledger wrote the acceptance just after it.
    [-50, true],
    // The clock was set back.
    [-3_600_000, false],
  ];
  test.each(OPENS)("%d ms after acceptance: suspected %p", (afterMs, isSuspected) =>
    expect(isOpenedTooSoon(NOON + afterMs, NOON)).toBe(isSuspected),
  );

  test("of a message nobody knows to be accepted is not suspected", () =>
    expect(isOpenedTooSoon(NOON, null)).toBe(false));
});

describe("clicks on different links", () => {
  const CLICKS: readonly (readonly [
    agesMs: readonly number[],
    isEveryLink: boolean,
    isSuspected: boolean,
  ])[] = [
    [[0], false, false],
    [[0], true, false],
    [[0, 400], false, false],
    [[0, 400], true, true],
    [[0, 5_000], true, true],
    [[0, 400, 2_000], false, true],
    [[0, 400, 2_001], false, false],
    [[0, 1_500, 3_000, 4_500], false, false],
    [[0, 1_500, 3_000, 4_500], true, true],
  ];
  test.each(CLICKS)("%j ms ago, every link %p: suspected %p", (agesMs, isEveryLink, isSuspected) =>
    expect(
      isSweep(
        agesMs.map((age) => NOON - age),
        isEveryLink,
        NOON,
      ),
    ).toBe(isSuspected),
  );
});

describe("the trail of clicks", () => {
  test("has each link once, when it was followed last, and forgets after 5 seconds", () => {
    const trails = new ClickTrails(10);
    trails.add(1, 0, NOON);
    trails.add(1, 1, NOON + 1_000);
    expect(trails.add(1, 1, NOON + 2_000)).toEqual([NOON, NOON + 2_000]);
    expect(trails.add(1, 2, NOON + 5_001)).toEqual([NOON + 2_000, NOON + 5_001]);
  });

  test("knows messages apart", () => {
    const trails = new ClickTrails(10);
    trails.add(1, 0, NOON);
    expect(trails.add(2, 1, NOON)).toEqual([NOON]);
  });

  test("holds no message longer than it must, and no more of them than it may", () => {
    const trails = new ClickTrails(10);
    for (let message = 0; message < 1_000; message++) {
      trails.add(message, 0, NOON + message);
      expect(trails.messageCount).toBeLessThanOrEqual(10);
    }
    for (let message = 995; message < 1_000; message++)
      expect(trails.add(message, 1, NOON + 1_000)).toEqual([NOON + message, NOON + 1_000]);
    trails.add(1_000, 0, NOON + 60_000);
    expect(trails.messageCount).toBe(1);
  });

  test("remembers for 5 seconds, wherever in its stretches a click falls", () => {
    for (let gapMs = 0; gapMs <= 6_000; gapMs += 500)
      for (let startMs = 0; startMs <= 11_000; startMs += 500) {
        const trails = new ClickTrails(1_000);
        trails.add(7, 0, NOON);
        trails.add(1, 0, NOON + startMs);
        const at = NOON + startMs + gapMs;
        expect(trails.add(1, 1, at)).toEqual(gapMs <= 5_000 ? [NOON + startMs, at] : [at]);
      }
  });

  test("keeps what is recent when the clock is set back a little", () => {
    const trails = new ClickTrails(10);
    trails.add(1, 0, NOON);
    trails.add(1, 1, NOON + 1_000);
    expect(trails.add(1, 2, NOON + 500)).toEqual([NOON, NOON + 500]);
    expect(trails.add(1, 3, NOON + 600)).toEqual([NOON, NOON + 500, NOON + 600]);
  });

  test("does not remember clicks of a time that is still to come: the clock was set back", () => {
    const trails = new ClickTrails(10);
    trails.add(1, 0, NOON + 3_600_000);
    expect(trails.add(1, 1, NOON)).toEqual([NOON]);
  });
});
