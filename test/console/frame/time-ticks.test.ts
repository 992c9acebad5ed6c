/** What stands below a chart's axis of time. */
import { describe, expect, test } from "bun:test";
import { dayTicks, hourTicks } from "#console/ui/parts/charts/time-ticks.ts";
import { HOUR_MS } from "#core/time/time.ts";

const hours = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => new Date(Date.parse(from) + i * HOUR_MS).toISOString());

const wordsOf = (locale: string, timeZone: string) => {
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone });
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone });
  return {
    time: (at: string) => clock.format(new Date(at)),
    day: (at: string) => days.format(new Date(at)),
  };
};

/** The marks as they are read: each with its day, where that is said. */
const read = (locale: string, zone: string, steps: readonly string[], most: number): string[] =>
  hourTicks(steps, zone, wordsOf(locale, zone), most).map(({ label, day }) =>
    day === null ? label : `${label} ${day}`,
  );

describe("the marks of hours", () => {
  test("one day is said once, below its first hour", () => {
    expect(read("en-GB", "UTC", hours("2026-11-24T13:00:00Z", 4), 8)).toEqual([
      "13:00 24 Nov",
      "14:00",
      "15:00",
      "16:00",
    ]);
  });

  test("over several days each day is said once, and always at midnight but for the first", () => {
    const steps = hours("2026-11-24T13:00:00Z", 40);
    expect(read("en-GB", "UTC", steps, 10)).toEqual([
      "16:00 24 Nov",
      "20:00",
      "00:00 25 Nov",
      "04:00",
      "08:00",
      "12:00",
      "16:00",
      "20:00",
      "00:00 26 Nov",
      "04:00",
    ]);
    expect(read("de-DE", "UTC", steps, 4)).toEqual(["00:00 25. Nov.", "12:00", "00:00 26. Nov."]);
  });

  test("the hours and days are those of the workspace's clock", () => {
    const steps = hours("2026-11-24T13:00:00Z", 24);
    expect(read("en-GB", "Asia/Kathmandu", hours("2026-11-24T13:15:00Z", 8), 3)).toEqual([
      "21:00 24 Nov",
      "00:00 25 Nov",
    ]);
    expect(read("de-DE", "America/New_York", steps, 8)).toEqual([
      "09:00 24. Nov.",
      "12:00",
      "15:00",
      "18:00",
      "21:00",
      "00:00 25. Nov.",
      "03:00",
      "06:00",
    ]);
  });

  test("each mark is where its hour is, also when the clock changes", () => {
    const steps = hours("2026-10-24T20:00:00Z", 12);
    const marks = hourTicks(steps, "Europe/Berlin", wordsOf("en-GB", "Europe/Berlin"), 12);
    for (const { at, label } of marks) expect(label).toBe(wordsOf("en-GB", "Europe/Berlin").time(at));
    expect(marks.map(({ label }) => label).filter((label) => label === "02:00")).toHaveLength(2);
    expect(new Set(marks.map(({ at }) => at)).size).toBe(marks.length);
  });

  test.each([1, 3, 6, 10, 20])("there are never more than fit: %d", (most) => {
    for (const count of [1, 5, 24, 30, 100, 1_000]) {
      const shown = read("en-GB", "Europe/Berlin", hours("2026-11-20T09:00:00Z", count), most);
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.length).toBeLessThanOrEqual(most);
    }
  });
});

describe("the marks of days", () => {
  test("are equally far apart, and no more than fit", () => {
    const steps = Array.from({ length: 9 }, (_, i) => `2026-11-0${i + 1}T00:00:00Z`);
    const words = wordsOf("de-DE", "UTC");
    expect(dayTicks(steps, words, 4).map(({ label }) => label)).toEqual(["1. Nov.", "4. Nov.", "7. Nov."]);
    expect(dayTicks(steps, words, 0)).toHaveLength(1);
  });
});
