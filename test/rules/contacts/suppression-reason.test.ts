import { expect, test } from "bun:test";
import { strongerReason, SUPPRESSION_REASONS } from "#suppression/reason.ts";

test("the reasons are the four of the decisions", () => {
  expect(SUPPRESSION_REASONS).toEqual(["HARD_BOUNCE", "COMPLAINT", "MANUAL", "UNSUBSCRIBED"]);
});

test.each(SUPPRESSION_REASONS)("the first reason, %s, is kept as it is", (next) => {
  expect(strongerReason(null, next)).toBe(next);
});

test.each(SUPPRESSION_REASONS)("UNSUBSCRIBED gives way to %s", (next) => {
  expect(strongerReason("UNSUBSCRIBED", next)).toBe(next);
});

test.each(["HARD_BOUNCE", "COMPLAINT", "MANUAL"] as const)("%s stays whatever comes after it", (current) => {
  for (const next of SUPPRESSION_REASONS) expect(strongerReason(current, next)).toBe(current);
});
