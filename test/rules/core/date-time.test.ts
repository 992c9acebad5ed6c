import { describe, expect, test } from "bun:test";
import { parseDateTime } from "#core/time/date-time.ts";

describe("an ISO 8601 date-time", () => {
  const table: [string, string][] = [
    ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30:00", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21t09:30:00z", "2026-11-21T09:30:00.000Z"],
    ["2026-11-21T09:30:00.5Z", "2026-11-21T09:30:00.500Z"],
    ["2026-11-21T09:30:00.123999Z", "2026-11-21T09:30:00.123Z"],
    ["2026-11-21T09:30:00,25Z", "2026-11-21T09:30:00.250Z"],
    ["2026-11-21T09:30:00+01:00", "2026-11-21T08:30:00.000Z"],
    ["2026-11-21T09:30:00+0545", "2026-11-21T03:45:00.000Z"],
    ["2026-11-21T09:30-03", "2026-11-21T12:30:00.000Z"],
    ["2026-11-21T00:15:00+14:00", "2026-11-20T10:15:00.000Z"],
    ["2026-12-31T23:59:59.999-00:01", "2027-01-01T00:00:59.999Z"],
    ["2026-11-21T09:30:00-00:00", "2026-11-21T09:30:00.000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["0050-01-01T00:00:00Z", "0050-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
    ["9999-12-31T23:59:59.999+23:00", "9999-12-31T00:59:59.999Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ];
  test.each(table)("%s is the instant %s", (text, instant) => {
    expect(parseDateTime(text)).toBe(Date.parse(instant));
  });
});

describe("everything else is refused", () => {
  test.each([
    ["a date alone", "2026-11-21"],
    ["a date and a bare T", "2026-11-21T"],
    ["an hour alone", "2026-11-21T09"],
    ["a space for the T", "2026-11-21 09:30:00Z"],
    ["the basic form", "20261121T093000Z"],
    ["a day February does not have", "2026-02-30T09:30:00Z"],
    ["29 February of a common year", "2026-02-29T09:30:00Z"],
    ["29 February of a common century", "2100-02-29T09:30:00Z"],
    ["31 April", "2026-04-31T09:30:00Z"],
    ["day 0", "2026-11-00T09:30:00Z"],
    ["month 0", "2026-00-21T09:30:00Z"],
    ["month 13", "2026-13-21T09:30:00Z"],
    ["hour 24", "2026-11-21T24:00:00Z"],
    ["minute 60", "2026-11-21T09:60:00Z"],
    ["second 60", "2026-11-21T09:30:60Z"],
    ["an offset of 24 hours", "2026-11-21T09:30:00+24:00"],
    ["an offset of 60 minutes", "2026-11-21T09:30:00+01:60"],
    ["a zone name", "2026-11-21T09:30:00 Europe/Berlin"],
    ["a year of five digits", "+12026-11-21T09:30:00Z"],
    ["a short month", "2026-1-21T09:30:00Z"],
    ["an English date", "November 21, 2026 09:30"],
    ["epoch milliseconds", "1795253400000"],
    ["a point without digits", "2026-11-21T09:30:00.Z"],
    ["a time that is of the year 10000 in UTC", "9999-12-31T23:59:59-23:00"],
    ["the first instant of the year 10000 in UTC", "9999-12-31T23:00:00-01:00"],
    ["a time that is before the year 0000 in UTC", "0000-01-01T00:00:00+00:01"],
    ["a second line", "2026-11-21T09:30:00Z\n"],
    ["digits of another script", "２０２６-11-21T09:30:00Z"],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(parseDateTime(text)).toBeNull();
  });
});
