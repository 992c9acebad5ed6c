import { describe, expect, test } from "bun:test";
import { askAgainAt, noPause, onTroubleMet } from "#mail/smtp/relay/short-pause.ts";

const NOW = 1_700_000_000_000;

describe("the pause of awaited mail before it asks a relay in trouble again", () => {
  test("there is none before any trouble", () => {
    expect(askAgainAt(noPause, NOW)).toBeNull();
  });

  test("doubles from a quarter of a second to two seconds, and no further", () => {
    let [pause, now] = [noPause, NOW];
    const pausesMs = Array.from({ length: 6 }, () => {
      pause = onTroubleMet(pause, now);
      const until = askAgainAt(pause, now)!;
      const pauseMs = until - now;
      expect(askAgainAt(pause, until - 1)).toBe(until);
      expect(askAgainAt(pause, until)).toBeNull();
      now = until;
      return pauseMs;
    });
    expect(pausesMs).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
  });

  test("trouble during a pause comes from mail sent before it, and makes it no longer", () => {
    const pause = onTroubleMet(noPause, NOW);
    expect(onTroubleMet(pause, NOW + 100)).toBe(pause);
  });

  test("a clock that was set back does not make it longer", () => {
    expect(askAgainAt(onTroubleMet(noPause, NOW), NOW - 60_000)).toBeNull();
  });
});
