/**
 * A rule as it was read, a question about one contact (docs/contract.md "Segments"). `rules-input.ts` reads
 * it, `holds.ts` answers it for a contact in memory, `sentence.ts` puts it into words; storage makes a query
 * of it. Automations ask with the same conditions.
 */
import type { Instant } from "#core/time/clock.ts";

export type Rule =
  | { readonly kind: "all" | "any"; readonly rules: readonly Rule[] }
  | { readonly kind: "not"; readonly rule: Rule }
  | { readonly kind: "condition"; readonly condition: Condition };

/** With `is` false, the opposite. Ids may be of things that were deleted: nobody is in those. */
export type Condition =
  | { readonly on: "text"; readonly field: TextField; readonly test: ValueTest }
  | { readonly on: "tag"; readonly is: boolean; readonly tag: string }
  | { readonly on: "list"; readonly is: boolean; readonly listId: string }
  | { readonly on: "segment"; readonly is: boolean; readonly segmentId: string }
  | { readonly on: "createdAt"; readonly test: DateTest }
  | { readonly on: "attribute"; readonly name: string; readonly test: ValueTest }
  | { readonly on: "score"; readonly test: ValueTest }
  | EventCondition
  | MailCondition;

export type TextField = "email" | "firstName" | "lastName" | "domain" | "status";

/** How many events of a name the contact has, of those that fit every test in `where`. */
export type EventCondition = {
  readonly on: "event";
  readonly times: "atLeast" | "atMost" | "exactly";
  readonly count: number;
  /** Normalized. */
  readonly name: string;
  /** Null: at any time. */
  readonly withinDays: number | null;
  readonly where: readonly PropertyTest[];
};

export type MailCondition = {
  readonly on: "received" | "opened" | "clicked";
  readonly is: boolean;
  /** A campaign; in automations the node of the mail. Null: any campaign. */
  readonly mailId: string | null;
  readonly withinDays: number | null;
};

/** A test of a property of an event. `path`: member names, from `properties` downwards. */
export type PropertyTest = { readonly path: readonly string[]; readonly test: ValueTest };

/** One op with what it compares with; `value-test.ts` says what it means. */
export type ValueTest =
  | { readonly op: "equals" | "notEquals" | "contains" | "notContains"; readonly value: Scalar }
  | { readonly op: "startsWith" | "endsWith"; readonly value: string }
  | { readonly op: "exists" | "notExists" }
  | { readonly op: "greaterThan" | "lessThan"; readonly value: number }
  | DateTest;

/** Days are of 24 hours and may be fractions. They count back from now; a future time is not within them. */
export type DateTest =
  | { readonly op: "before" | "after"; readonly at: Instant }
  | { readonly op: "withinDays" | "notWithinDays"; readonly days: number };

export type Scalar = string | number | boolean;

/** Every condition of a rule, from left to right. */
export function conditionsOf(rule: Rule): Condition[] {
  if (rule.kind === "condition") return [rule.condition];
  return rule.kind === "not" ? conditionsOf(rule.rule) : rule.rules.flatMap(conditionsOf);
}
