/** Limits of domains and the warm-up, as rows of fields and back. */
import { expect, test } from "bun:test";
import {
  changedOnto,
  isSame,
  limitsOf,
  problemOf,
  rowsOf,
  type LimitRow,
} from "../../../src/console/ui/screens/settings/limits/domain-limits.ts";
import {
  lastDay,
  readWarmUp,
  writtenWarmUp,
} from "../../../src/console/ui/screens/settings/limits/warm-up.ts";
import { parseWarmUp, warmUpLimit } from "#workspaces/warm-up.ts";

const row = (
  key: number,
  domains: string,
  perHour: number | "" = "",
  connections: number | "" = "",
): LimitRow => ({
  key,
  domains,
  perHour,
  connections,
});

test("limits are rows, and come back as they were", () => {
  const limits = {
    "gmail.com,googlemail.com": { perHour: 2000, connections: 5 },
    "gmx.de": { perHour: 500 },
    "example.com": { connections: 1 },
  };
  let key = 7;
  const newKey = () => key++;
  const rows = rowsOf(limits, newKey);
  expect(rows[0]).toEqual(row(7, "gmail.com, googlemail.com", 2000, 5));
  expect(limitsOf(rows)).toEqual(limits);
  expect(isSame(limitsOf(rows.toReversed()), limits)).toBe(true);
  expect([rowsOf(null, newKey), limitsOf([])]).toEqual([[], null]);
  // What the server would refuse is saved as the fields show it once they are left.
  expect(limitsOf([row(1, "gmx.de", 10_000_001, 1_001), row(2, "web.de", 0)])).toEqual({
    "gmx.de": { perHour: 10_000_000, connections: 1_000 },
    "web.de": { perHour: 1 },
  });
});

test("a row that is no limit says why, and is left out; two of the same domains are both", () => {
  const rows = [
    row(1, "gmx.de", 5),
    row(2, " "),
    row(3, "web.de"),
    row(4, "a.de b.de", 1),
    row(5, "a.de,b.de", 2),
  ];
  expect(rows.map((one) => problemOf(one, rows))).toEqual([null, "noDomain", "noLimit", "twice", "twice"]);
  expect(limitsOf(rows)).toEqual({ "gmx.de": { perHour: 5 } });
});

test("a change here leaves what somebody else has set meanwhile", () => {
  const [gmx, web, other] = [{ perHour: 5 }, { perHour: 6 }, { connections: 2 }];
  const before = { "gmx.de": gmx, "web.de": web };
  const now = { "gmx.de": gmx, "web.de": { perHour: 9 }, "a.de": other };
  expect(changedOnto(now, before, { ...before, "gmx.de": { perHour: 7 } })).toEqual({
    ...now,
    "gmx.de": { perHour: 7 },
  });
  expect(changedOnto(now, before, { "web.de": web })).toEqual({ "web.de": { perHour: 9 }, "a.de": other });
  expect(changedOnto(now, before, { "gmx.net": gmx, "web.de": web })).toEqual({
    "web.de": { perHour: 9 },
    "a.de": other,
    "gmx.net": gmx,
  });
  // What the other has taken away comes back only if it was changed here.
  expect(changedOnto(null, before, { ...before, "gmx.de": other })).toEqual({ "gmx.de": other });
  expect(changedOnto(before, before, null)).toBeNull();
});

test("a warm-up is four fields, and its last day is the server's", () => {
  const text = "200 30% 21 2026-12-01";
  const warmUp = readWarmUp(text)!;
  expect(writtenWarmUp(warmUp)).toBe(text);
  // What the server would refuse is written as the fields show it once they are left.
  const beyond = writtenWarmUp({ start: 1_000_001, growth: 501, days: 366, from: warmUp.from })!;
  expect([beyond, parseWarmUp(beyond) !== undefined]).toEqual(["1000000 500% 365 2026-12-01", true]);
  expect(writtenWarmUp({ start: 0, growth: -1, days: 0, from: warmUp.from })).toBe("1 0% 1 2026-12-01");
  expect(lastDay(warmUp)).toBe(warmUpLimit(parseWarmUp(text)!, "2026-12-21"));
  expect([
    writtenWarmUp({ ...warmUp, days: "" }),
    lastDay({ ...warmUp, days: "" }),
    readWarmUp(null),
  ]).toEqual([null, null, null]);
});
