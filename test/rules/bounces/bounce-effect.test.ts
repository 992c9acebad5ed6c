import { describe, expect, test } from "bun:test";
import { areEnoughSoftReports, effectOf } from "#bounces/effect.ts";
import type { ReportKind } from "#bounces/report.ts";
import { DAY_MS, HOUR_MS } from "#core/time/time.ts";
import { DELIVERY_STATES, type DeliveryState } from "#deliveries/ledger.ts";

const KINDS: readonly ReportKind[] = [
  "delivered",
  "delayed",
  "policy",
  "soft",
  "hard",
  "complaint",
  "auto_reply",
];
const ONLY_IF_UNKNOWN = { dot: ["sent"], uncertain: ["sent"] };
const HARD_MOVES = {
  queued: ["bounced"],
  dot: ["sent", "bounced"],
  uncertain: ["sent", "bounced"],
  sent: ["bounced"],
};

describe("the effect of each kind of report on a message in each state", () => {
  test.each(KINDS)("%s", (kind) => {
    const moves: Partial<Record<DeliveryState, string[]>> = kind === "hard" ? HARD_MOVES : ONLY_IF_UNKNOWN;
    for (const state of DELIVERY_STATES) {
      expect(effectOf(kind, state, false)).toEqual({
        moves: (moves[state] ?? []) as never,
        person: kind === "hard" ? "bounced" : kind === "complaint" ? "complained" : null,
      });
    }
  });

  test("a soft one that makes proof is as hard; strikes make nothing else harder", () => {
    for (const state of DELIVERY_STATES) {
      expect(effectOf("soft", state, true)).toEqual(effectOf("hard", state, false));
      for (const kind of KINDS.filter((each) => each !== "soft"))
        expect(effectOf(kind, state, true)).toEqual(effectOf(kind, state, false));
    }
  });
});

describe("strikes", () => {
  const now = Date.UTC(2026, 5, 30, 12);
  test.each<[string, number[], string, boolean]>([
    ["three days", [now, now - DAY_MS, now - 2 * DAY_MS], "UTC", true],
    ["two days, many times", [now, now - HOUR_MS, now - DAY_MS, now - DAY_MS - HOUR_MS], "UTC", false],
    ["three days, the first 30 days ago", [now, now - DAY_MS, now - 30 * DAY_MS], "UTC", false],
    ["three days, the first almost 30 days ago", [now, now - DAY_MS, now - 30 * DAY_MS + 1], "UTC", true],
    // 09:00 and 12:00 UTC are one day, and two days on Kiritimati (UTC+14), where midnight is at 10:00.
    ["days of UTC", [now, now - 3 * HOUR_MS, now - DAY_MS - 3 * HOUR_MS], "UTC", false],
    [
      "days of the workspace's zone",
      [now, now - 3 * HOUR_MS, now - DAY_MS - 3 * HOUR_MS],
      "Pacific/Kiritimati",
      true,
    ],
  ])("%s", (_, strikes, zone, isProof) => {
    expect(areEnoughSoftReports(strikes, now, zone)).toBe(isProof);
  });
});
