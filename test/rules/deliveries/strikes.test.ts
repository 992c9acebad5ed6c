import { describe, expect, test } from "bun:test";
import { decideStrike, type StrikeHistory, type StrikeKind } from "#deliveries/reply/strikes.ts";
import { DAY } from "../../support/common/durations.ts";

const START = 1_700_000_000_000;

/** The verdict after each strike, given on these days. */
function verdicts(kind: StrikeKind, days: readonly number[]): boolean[] {
  let history: StrikeHistory = null;
  return days.map((day) => {
    const decided = decideStrike(kind, history, START + day * DAY);
    history = decided.history;
    return decided.hard;
  });
}

describe("what it takes to believe that an address is dead", () => {
  const cases: readonly (readonly [StrikeKind, string, readonly number[], boolean])[] = [
    ["disabled", "one strike", [0], false],
    ["disabled", "two within three days", [0, 2.9], false],
    ["disabled", "two, three days apart", [0, 3], true],
    ["disabled", "the third, three days after the first", [0, 1.5, 3], true],
    ["host_unknown", "two within three days", [0, 2], false],
    ["host_unknown", "two, three days apart", [0, 3], true],
    ["unknown_permanent", "two, a week apart", [0, 7], false],
    ["unknown_permanent", "three within a week", [0, 3, 6.9], false],
    ["unknown_permanent", "three over a week", [0, 3, 7], true],
    ["full", "four over a month", [0, 10, 20, 30], false],
    ["full", "five within a month", [0, 7, 14, 21, 28], false],
    ["full", "five over a month", [0, 7, 14, 21, 30], true],
    ["expired", "any number over any time", [0, 10, 20, 30, 40, 400], false],
  ];
  test.each(cases)("%s: %s", (kind, _name, days, hard) => {
    expect(verdicts(kind, days).at(-1)).toBe(hard);
    expect(verdicts(kind, days).slice(0, -1)).not.toContain(true);
  });

  test("many mails on one day are one strike", () => {
    expect(verdicts("unknown_permanent", [0, 0.1, 0.2, 0.9, 7])).not.toContain(true);
    expect(
      decideStrike("full", { count: 4, firstAt: START, lastAt: START + 30 * DAY }, START + 30.5 * DAY),
    ).toEqual({
      history: { count: 4, firstAt: START, lastAt: START + 30 * DAY },
      hard: false,
    });
  });

  test("a success in between starts the count anew", () => {
    expect(verdicts("disabled", [0])).toEqual([false]);
    expect(decideStrike("disabled", null, START + 30 * DAY)).toEqual({
      history: { count: 1, firstAt: START + 30 * DAY, lastAt: START + 30 * DAY },
      hard: false,
    });
  });

  test("a clock that ran backwards adds nothing", () => {
    const history = { count: 1, firstAt: START, lastAt: START };
    expect(decideStrike("disabled", history, START - 30 * DAY)).toEqual({ history, hard: false });
  });
});
