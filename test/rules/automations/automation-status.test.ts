import { describe, expect, test } from "bun:test";
import {
  AUTOMATION_STATUSES,
  isAutomationStatus,
  isEnrollmentStatus,
  type AutomationStatus,
} from "#automations/automation.ts";
import { changeStatus } from "#automations/status.ts";

const REFUSED = "AUTOMATION_WRONG_STATE";
const TABLE: readonly (readonly [AutomationStatus, AutomationStatus, string])[] = [
  ["DRAFT", "DRAFT", "DRAFT"],
  ["DRAFT", "LIVE", "LIVE"],
  ["DRAFT", "PAUSED", REFUSED],
  ["LIVE", "DRAFT", REFUSED],
  ["LIVE", "LIVE", REFUSED],
  ["LIVE", "PAUSED", "PAUSED"],
  ["PAUSED", "DRAFT", REFUSED],
  ["PAUSED", "LIVE", "LIVE"],
  ["PAUSED", "PAUSED", REFUSED],
];

describe("the status of an automation", () => {
  test.each(TABLE)("%s, asked to be %s: %s", (current, requested, expected) => {
    const changed = changeStatus(current, requested);
    expect<string>(changed.ok ? changed.value : changed.refusal.code).toBe(expected);
  });

  test("has all its arrows in the table", () => {
    const pairs = new Set(TABLE.map(([current, requested]) => `${current} ${requested}`));
    expect(pairs.size).toBe(AUTOMATION_STATUSES.length ** 2);
  });

  test("has a refusal that says what to do", () => {
    expect(changeStatus("LIVE", "DRAFT")).toMatchObject({
      refusal: { message: expect.stringContaining("Pause it instead") },
    });
    expect(changeStatus("DRAFT", "PAUSED")).toMatchObject({
      refusal: { message: expect.stringContaining("Only a LIVE automation") },
    });
    expect(changeStatus("LIVE", "LIVE")).toMatchObject({
      refusal: { message: expect.stringContaining("LIVE already") },
    });
  });
});

test.each([
  ["DRAFT", true, false],
  ["LIVE", true, false],
  ["PAUSED", true, false],
  ["ACTIVE", false, true],
  ["COMPLETED", false, true],
  ["FAILED", false, true],
  ["live", false, false],
  ["", false, false],
  [null, false, false],
  [["LIVE"], false, false],
])("%j is an automation's status: %p, an enrollment's: %p", (text, ofAutomation, ofEnrollment) => {
  expect([isAutomationStatus(text), isEnrollmentStatus(text)]).toEqual([ofAutomation, ofEnrollment]);
});
