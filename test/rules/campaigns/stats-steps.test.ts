import { describe, expect, test } from "bun:test";
import { parseStatsQuery } from "#stats/stats-input.ts";
import { stepBounds, type Step } from "#stats/steps.ts";
import { MINUTE_MS, HOUR_MS } from "#core/time/time.ts";
import { dice } from "../../support/common/dice.ts";
import { wallMinutes, type ClockChange } from "../../support/common/wall-clock-oracle.ts";

/** Clock changes as the time zone database has them, written out by hand: offset before, then [from when, offset]. */
const ZONES: [zone: string, offsetBefore: number, changes: [at: string, offsetMinutes: number][]][] = [
  ["UTC", 0, []],
  ["Asia/Kolkata", 330, []],
  ["Asia/Kathmandu", 345, []],
  [
    "America/St_Johns",
    -210,
    [
      ["2026-03-08T05:30Z", -150],
      ["2026-11-01T04:30Z", -210],
    ],
  ],
  [
    "Europe/Berlin",
    60,
    [
      ["2026-03-29T01:00Z", 120],
      ["2026-10-25T01:00Z", 60],
    ],
  ],
  [
    "America/New_York",
    -300,
    [
      ["2026-03-08T07:00Z", -240],
      ["2026-11-01T06:00Z", -300],
    ],
  ],
  // By half an hour.
  [
    "Australia/Lord_Howe",
    660,
    [
      ["2026-04-04T15:00Z", 630],
      ["2026-10-03T15:30Z", 660],
    ],
  ],
  // By a quarter off the hour.
  [
    "Pacific/Chatham",
    825,
    [
      ["2026-04-04T14:00Z", 765],
      ["2026-09-26T14:00Z", 825],
    ],
  ],
  // The day begins at 01:00, where midnight is skipped.
  [
    "Africa/Cairo",
    120,
    [
      ["2026-04-23T22:00Z", 180],
      ["2026-10-29T21:00Z", 120],
    ],
  ],
  // Midnight comes twice.
  [
    "America/Havana",
    -300,
    [
      ["2026-03-08T05:00Z", -240],
      ["2026-11-01T05:00Z", -300],
    ],
  ],
  [
    "Atlantic/Azores",
    -60,
    [
      ["2026-03-29T01:00Z", 0],
      ["2026-10-25T01:00Z", -60],
    ],
  ],
];

const changesOf = (before: number, changes: [at: string, offsetMinutes: number][]): ClockChange[] => [
  { at: Date.parse("2026-01-01T00:00Z"), offsetMinutes: before },
  ...changes.map(([at, offsetMinutes]) => ({ at: Date.parse(at), offsetMinutes })),
];

/** Where steps begin, by walking the wall clock minute by minute. */
function oracle(changes: ClockChange[], from: number, to: number): Record<Step, number[]> {
  const found: Record<Step, number[]> = { day: [], hour: [] };
  const isChange = new Set(changes.map(({ at }) => at));
  let day: string | null = null;
  for (const minute of wallMinutes(changes, from, to)) {
    if (day !== null && minute.day !== day) found.day.push(minute.at);
    if (minute.minuteOfDay % 60 === 0 || (isChange.has(minute.at) && day !== null))
      found.hour.push(minute.at);
    day = minute.day;
  }
  return found;
}

const DAY_OF = (text: string): number => Date.parse(`${text}T00:00:00Z`);

describe("steps begin where the zone's clock says", () => {
  test.each(ZONES)("%s, over a year of days, and hours around each change", (zone, before, changes) => {
    const known = changesOf(before, changes);
    const [from, to] = [DAY_OF("2026-01-03"), DAY_OF("2026-12-28")];
    const days = stepBounds({ from, to }, "day", zone, 1_000)!;
    const { day } = oracle(known, from - 48 * HOUR_MS, to + 48 * HOUR_MS);
    expect(days).toEqual(
      day.slice(
        day.findLastIndex((at) => at <= from),
        day.findIndex((at) => at >= to) + 1,
      ),
    );
    for (const around of [...changes.map(([at]) => Date.parse(at)), DAY_OF("2026-06-15")]) {
      const range = { from: around - 30 * HOUR_MS, to: around + 30 * HOUR_MS };
      const { hour } = oracle(known, range.from - 4 * HOUR_MS, range.to + 4 * HOUR_MS);
      const expected = hour.slice(
        hour.findLastIndex((at) => at <= range.from),
        hour.findIndex((at) => at >= range.to) + 1,
      );
      expect(stepBounds(range, "hour", zone, 1_000)).toEqual(expected);
    }
  });

  test("days of 23 and of 25 hours", () => {
    const lengths = (from: string, to: string): number[] => {
      const bounds = stepBounds({ from: DAY_OF(from), to: DAY_OF(to) }, "day", "Europe/Berlin", 10)!;
      return bounds.slice(1).map((end, i) => (end - bounds[i]!) / HOUR_MS);
    };
    expect(lengths("2026-03-28", "2026-03-30")).toEqual([24, 23, 24]);
    expect(lengths("2026-10-24", "2026-10-26")).toEqual([24, 25, 24]);
  });

  test("in every zone there is: seamless, on quarters of an hour, and around what was asked for", () => {
    const of = dice(20_260_503);
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      const from = Date.UTC(
        2020 + of.roll(15),
        of.roll(12),
        of.roll(28),
        of.roll(24),
        of.roll(60),
        0,
        of.roll(1_000),
      );
      const step = of.pick(["hour", "day"] as const);
      const to = from + 1 + of.roll(30 * (step === "day" ? 24 * HOUR_MS : HOUR_MS));
      const bounds = stepBounds({ from, to }, step, zone, 1_000)!;
      const [first, last] = [bounds[0]!, bounds.at(-1)!];
      expect([zone, first <= from, last >= to, bounds.at(-2)! < to]).toEqual([zone, true, true, true]);
      expect([zone, bounds.filter((at) => at % (15 * MINUTE_MS) !== 0)]).toEqual([zone, []]);
      expect([zone, bounds]).toEqual([zone, bounds.toSorted((a, b) => a - b)]);
      // The same steps whatever instant of the first and last one they are asked for by.
      expect(stepBounds({ from: first, to: last }, step, zone, 1_000)).toEqual(bounds);
    }
  });
});

describe("a range", () => {
  const day = (days: number) => ({
    from: DAY_OF("2026-01-01"),
    to: DAY_OF("2026-01-01") + days * 24 * HOUR_MS,
  });

  test("has at most so many steps, and a longer one is refused, however long it is", () => {
    expect(stepBounds(day(1_000), "day", "UTC", 1_000)?.length).toBe(1_001);
    expect(stepBounds(day(1_001), "day", "UTC", 1_000)).toBeNull();
    expect(stepBounds({ from: 0, to: Date.UTC(9998, 0, 1) }, "hour", "Europe/Berlin", 1_000)).toBeNull();
  });

  test("does not contain its end: a step that begins there is left out", () => {
    expect(stepBounds(day(1), "day", "UTC", 10)).toEqual([DAY_OF("2026-01-01"), DAY_OF("2026-01-02")]);
    const more = { ...day(1), to: day(1).to + 1 };
    expect(stepBounds(more, "day", "UTC", 10)?.length).toBe(3);
  });

  const NOW = Date.parse("2026-05-03T12:34:56Z");
  const read = (sent: { from?: string; to?: string; step?: string }) =>
    parseStatsQuery({ from: undefined, to: undefined, step: undefined, ...sent }, NOW);

  test("left out reaches back a month of days, or a day of hours", () => {
    expect(read({})).toEqual({ ok: true, value: { from: NOW - 30 * 24 * HOUR_MS, to: NOW, step: "day" } });
    expect(read({ from: "", to: "", step: "" })).toEqual(read({}));
    expect(read({ step: "hour" })).toEqual({
      ok: true,
      value: { from: NOW - 24 * HOUR_MS, to: NOW, step: "hour" },
    });
    expect(read({ to: "2026-01-31T00:00Z" })).toEqual({
      ok: true,
      value: { from: DAY_OF("2026-01-01"), to: DAY_OF("2026-01-31"), step: "day" },
    });
  });

  test.each([
    { step: "week" },
    { step: "Day" },
    { from: "yesterday" },
    { from: "2026-01-01" },
    { to: "2026-02-30T00:00:00Z" },
    { from: "1969-12-31T23:59:59Z" },
    { to: "9999-06-01T00:00:00Z" },
    { from: "2026-05-03T00:00:00Z", to: "2026-05-03T00:00:00Z" },
    { from: "2026-05-04T00:00:00Z" },
  ])("is refused as %o", (sent) => {
    expect(read(sent).ok).toBe(false);
  });
});
