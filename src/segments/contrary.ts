import type { ValueTest } from "./rule.ts";

const POSITIVES = { notEquals: "equals", notContains: "contains", notExists: "exists" } as const;

/**
 * A test without its `not`, and whether it had one: a contact that does not fit a test fits its contrary, also if the
 * value is missing or has another type.
 */
export function withoutNot(test: ValueTest): { readonly test: ValueTest; readonly isContrary: boolean } {
  return test.op === "notEquals" || test.op === "notContains" || test.op === "notExists"
    ? { test: { ...test, op: POSITIVES[test.op] } as ValueTest, isContrary: true }
    : { test, isContrary: false };
}
