import { describe, expect, test } from "bun:test";
import { isOneLine } from "../../support/common/one-line.ts";
import { checkQuota, type QuotaPeriod } from "#workspaces/quota.ts";

const check = (period: QuotaPeriod, wanted: number, used: number, limit: number | null) =>
  checkQuota({ period, periodKey: period === "day" ? "2026-11-21" : "2026-11", wanted, used, limit });

describe("a send fits a quota or is refused as a whole", () => {
  const cases: [wanted: number, used: number, limit: number | null, fits: boolean][] = [
    [100, 0, 100, true],
    [101, 0, 100, false],
    [50, 50, 100, true],
    [51, 50, 100, false],
    [1, 100, 100, false],
    [1, 0, 0, false],
    [1, 500, 100, false],
    [0, 100, 100, true],
    [0, 500, 100, true],
    [0, 0, 0, true],
    [1_000_000, 1_000_000, null, true],
  ];
  test.each(cases)("%d wanted, %d used, limit %p", (wanted, used, limit, fits) => {
    expect(check("day", wanted, used, limit) === null).toBe(fits);
    expect(check("month", wanted, used, limit) === null).toBe(fits);
  });
});

test("the daily cap is a validation error, the monthly limit a quota error, and both say the numbers", () => {
  expect(check("day", 60, 50, 100)).toEqual({
    code: "VALIDATION_ERROR",
    message:
      "This send of 60 would pass the daily cap of 100: 50 used in 2026-11-21, 50 left. Send to fewer people, wait until tomorrow, or raise dailyCap.",
  });
  const month = check("month", 60, 150, 100);
  expect(month?.code).toBe("QUOTA_EXCEEDED");
  expect(month?.message).toContain("the monthly limit of 100: 150 used in 2026-11, 0 left.");
  expect(isOneLine(month?.message ?? "\n")).toBe(true);
});
