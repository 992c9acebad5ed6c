import { expect, test } from "bun:test";
import { formatWarmUp, parseWarmUp, warmUpLimit } from "#workspaces/warm-up.ts";

const warmUp = parseWarmUp("200 30% 21 2026-12-01")!;

test("a warm-up is read, and written as it was", () => {
  expect(warmUp).toEqual({ start: 200, growthPercent: 30, days: 21, from: "2026-12-01" });
  expect(formatWarmUp(warmUp)).toBe("200 30% 21 2026-12-01");
});

test.each([
  "",
  "200",
  "200 30% 21",
  "0 30% 21 2026-12-01",
  "200 501% 21 2026-12-01",
  "200 30% 0 2026-12-01",
  "200 30% 366 2026-12-01",
  "200 30 21 2026-12-01",
  "200 30% 21 2026-02-30",
  "200 30% 21 2026-13-01",
  "9999999 30% 21 2026-12-01",
  "-200 30% 21 2026-12-01",
  "200  30% 21 2026-12-01",
])("what is no warm-up is refused: %p", (text) => {
  expect(parseWarmUp(text)).toBeUndefined();
});

test.each([
  ["2026-11-30", null],
  ["2026-12-01", 200],
  ["2026-12-02", 260],
  ["2026-12-03", 338],
  ["2026-12-21", 38_009],
  ["2026-12-22", null],
])("on %s so many may go out: %p", (day, limit) => {
  expect(warmUpLimit(warmUp, day)).toBe(limit);
});

test("without growth it stays, and the largest is a number that can be counted with", () => {
  expect(warmUpLimit(parseWarmUp("5 0% 9 2026-12-01")!, "2026-12-09")).toBe(5);
  expect(warmUpLimit(parseWarmUp("1000000 500% 365 2026-12-01")!, "2027-11-30")).toBe(
    Number.MAX_SAFE_INTEGER,
  );
});
