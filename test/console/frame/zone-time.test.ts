import { describe, expect, test } from "bun:test";
import { momentFormat } from "#console/ui/parts/moment-format.ts";
import { instantOf, isQuiet, wallOf } from "#console/ui/frame/zone-time.ts";

describe("the clock of a workspace", () => {
  test.each([
    ["Europe/Berlin", "2026-11-22T09:30", "2026-11-22T08:30:00.000Z"],
    ["Europe/Berlin", "2026-07-01T09:30", "2026-07-01T07:30:00.000Z"],
    ["America/New_York", "2026-11-22T23:59", "2026-11-23T04:59:00.000Z"],
    ["Pacific/Auckland", "2027-01-01T00:00", "2026-12-31T11:00:00.000Z"],
    ["Asia/Kathmandu", "2026-11-22T00:15", "2026-11-21T18:30:00.000Z"],
    ["UTC", "2028-02-29T12:00", "2028-02-29T12:00:00.000Z"],
  ])("%s %s is %s, and back", (zone, wall, instant) => {
    expect(instantOf(wall, zone)?.toISOString()).toBe(instant);
    expect(wallOf(new Date(instant), zone)).toBe(wall);
  });

  test("an hour that summer time skips is the one after it; of one that comes twice, the first", () => {
    expect(instantOf("2026-03-29T02:30", "Europe/Berlin")?.toISOString()).toBe("2026-03-29T01:30:00.000Z");
    expect(instantOf("2026-10-25T02:30", "Europe/Berlin")?.toISOString()).toBe("2026-10-25T00:30:00.000Z");
    expect(instantOf("2026-03-08T02:30", "America/New_York")?.toISOString()).toBe("2026-03-08T07:30:00.000Z");
    expect(instantOf("2026-11-01T01:30", "America/New_York")?.toISOString()).toBe("2026-11-01T05:30:00.000Z");
  });

  test.each(["", "soon", "2026-13-01T00:00", "2026-11-22", "2026-11-22T24:30"])("%j is no time", (wall) => {
    expect(instantOf(wall, "Europe/Berlin")).toBeNull();
  });

  test("a year that is typed, digit after digit, is one all the way", () => {
    for (const day of ["0002-11-11", "0020-11-11", "0202-11-11", "2026-11-11"])
      expect(wallOf(instantOf(`${day}T00:00`, "America/New_York")!, "America/New_York")).toBe(`${day}T00:00`);
  });

  test("quiet hours may go over midnight; their end is not quiet any more", () => {
    const quiet = (time: string, hours: string | null) => isQuiet(`2026-11-22T${time}`, hours);
    expect(["21:59", "22:00", "03:00", "06:59", "07:00"].map((time) => quiet(time, "22:00-07:00"))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(["11:59", "12:00", "13:00"].map((time) => quiet(time, "12:00-13:00"))).toEqual([
      false,
      true,
      false,
    ]);
    expect(quiet("03:00", null)).toBe(false);
  });
});

describe("a time of some clock is written", () => {
  test.each([
    ["de-DE", "29.03.2026, 02:30", "24h"],
    ["en-GB", "29 Mar 2026, 02:30", "24h"],
    ["en-US", "Mar 29, 2026, 2:30 AM", "12h"],
  ] as const)("as in %s: %s", (locale, written, clock) => {
    const format = momentFormat(locale);
    // ICU puts a narrow space before AM.
    expect(format.shown("2026-03-29 02:30:00").replaceAll(/\s/g, " ")).toBe(written);
    expect(format.clock).toBe(clock);
  });
});
