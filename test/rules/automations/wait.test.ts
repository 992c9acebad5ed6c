import { describe, expect, test } from "bun:test";
import { waitEndsAt } from "#automations/flow/wait.ts";
import { localTime } from "#workspaces/local-time.ts";
import { MINUTE_MS, DAY_MS } from "#core/time/time.ts";

const ends = (
  begin: string,
  amount: number,
  unit: "minutes" | "hours" | "days" | "weeks",
  zone: string,
): string => new Date(waitEndsAt({ kind: "for", amount, unit }, Date.parse(begin), zone)).toISOString();

describe("minutes and hours are exact, over clock changes too", () => {
  test.each([
    ["2026-11-21T09:30:15.250Z", 15, "minutes", "UTC", "2026-11-21T09:45:15.250Z"],
    ["2026-03-28T12:00:00Z", 24, "hours", "Europe/Berlin", "2026-03-29T12:00:00.000Z"],
    ["2026-10-24T12:00:00Z", 24, "hours", "Europe/Berlin", "2026-10-25T12:00:00.000Z"],
    ["2026-12-31T23:59:00Z", 1, "minutes", "Asia/Kathmandu", "2027-01-01T00:00:00.000Z"],
  ] as const)("%s and %d %s in %s end at %s", (begin, amount, unit, zone, end) => {
    expect(ends(begin, amount, unit, zone)).toBe(end);
  });
});

describe("days and weeks are days of the calendar: 09:00 stays 09:00", () => {
  test.each([
    ["2026-11-21T09:00:00Z", 1, "days", "UTC", "2026-11-22T09:00:00.000Z"],
    ["2026-11-21T09:00:00Z", 2, "weeks", "UTC", "2026-12-05T09:00:00.000Z"],
    // Berlin, spring: 09:00 is 08:00Z before and 07:00Z after.
    ["2026-03-28T08:00:00Z", 1, "days", "Europe/Berlin", "2026-03-29T07:00:00.000Z"],
    ["2026-03-28T08:00:00.123Z", 1, "days", "Europe/Berlin", "2026-03-29T07:00:00.123Z"],
    // Berlin, autumn: 09:00 is 07:00Z before and 08:00Z after.
    ["2026-10-24T07:00:00Z", 1, "days", "Europe/Berlin", "2026-10-25T08:00:00.000Z"],
    ["2026-10-20T07:00:00Z", 1, "weeks", "Europe/Berlin", "2026-10-27T08:00:00.000Z"],
    // New York, spring, a week over the change.
    ["2026-03-05T14:00:00Z", 1, "weeks", "America/New_York", "2026-03-12T13:00:00.000Z"],
    // Lord Howe moves by half an hour: 09:00 is 22:00Z in summer (+11), 22:30Z in winter (+10:30).
    ["2026-04-03T22:00:00Z", 1, "days", "Australia/Lord_Howe", "2026-04-04T22:30:00.000Z"],
  ] as const)("%s and %d %s in %s end at %s", (begin, amount, unit, zone, end) => {
    expect(ends(begin, amount, unit, zone)).toBe(end);
  });

  test("a time the clocks skip comes as much later as they skip", () => {
    // 02:30 on 29 March does not exist in Berlin: 03:30 summer time.
    expect(ends("2026-03-28T01:30:00Z", 1, "days", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
  });

  test("a time the clocks show twice comes the first time", () => {
    // 02:30 on 25 October is first 00:30Z, then 01:30Z.
    expect(ends("2026-10-24T00:30:00Z", 1, "days", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  });

  test("a wait that begins in the second showing of an hour keeps the wall clock", () => {
    expect(ends("2026-10-25T01:30:00Z", 1, "days", "Europe/Berlin")).toBe("2026-10-26T01:30:00.000Z");
  });
});

describe("whatever the zone and the hour", () => {
  const ZONES = [
    "UTC",
    "Europe/Dublin",
    "Africa/Casablanca",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/St_Johns",
  ];

  test("a day's wait ends a day on by the calendar, at the same minute where that exists, never early by more than the change", () => {
    for (const zone of ZONES) {
      for (
        let at = Date.parse("2026-01-01T00:17:00Z");
        at < Date.parse("2027-01-01T00:00:00Z");
        at += 7.1 * 60 * MINUTE_MS
      ) {
        const now = Math.round(at / MINUTE_MS) * MINUTE_MS;
        const end = waitEndsAt({ kind: "for", amount: 1, unit: "days" }, now, zone);
        expect(Math.abs(end - now - DAY_MS)).toBeLessThanOrEqual(60 * MINUTE_MS);
        const [from, to] = [localTime(now, zone), localTime(end, zone)];
        expect(Date.parse(to.day) - Date.parse(from.day)).toBe(DAY_MS);
        const skipped = to.minuteOfDay - from.minuteOfDay;
        expect([0, 30, 60]).toContain(skipped);
      }
    }
  });
});

describe("until a moment", () => {
  test.each([["2026-11-22T00:00:00Z"], ["2020-01-01T00:00:00Z"], ["9999-12-31T23:59:59Z"]])(
    "ends then: %s",
    (moment) => {
      const at = Date.parse(moment);
      expect(waitEndsAt({ kind: "until", at }, Date.parse("2026-11-21T09:30:00Z"), "Europe/Berlin")).toBe(at);
    },
  );
});
