/**
 * What a condition of a segment may be: fields, their ops, and the kind of value each takes. The same table as
 * the server's (`docs/contract.md "Segments"`); `test/console/segments/rules-table.test.ts` holds the two together.
 */

export const FIELD_KINDS = [
  "status",
  "tag",
  "list",
  "segment",
  "attribute",
  "email",
  "domain",
  "firstName",
  "lastName",
  "createdAt",
  "received",
  "opened",
  "clicked",
  "event",
  "score",
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

export type Op =
  | "equals"
  | "notEquals"
  | "contains"
  | "notContains"
  | "startsWith"
  | "endsWith"
  | "exists"
  | "notExists"
  | "greaterThan"
  | "lessThan"
  | "before"
  | "after"
  | "withinDays"
  | "notWithinDays"
  | "atLeast"
  | "atMost"
  | "exactly";

export type ValueKind =
  | "none"
  | "text"
  /** A text, a number, true or false. */
  | "scalar"
  | "status"
  | "tag"
  | "list"
  | "segment"
  /** A campaign's id, or `any`. */
  | "campaign"
  | "number"
  /** A whole number, 0 or more. */
  | "count"
  | "days"
  /** A date and a time. */
  | "moment"
  /** A date, or a date and a time. */
  | "date";

const IS_OPS: readonly Op[] = ["equals", "notEquals"];
const TEXT_OPS: readonly Op[] = [
  "equals",
  "notEquals",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "exists",
  "notExists",
];
const NUMBER_OPS: readonly Op[] = ["greaterThan", "lessThan"];
export const PROPERTY_OPS: readonly Op[] = [...TEXT_OPS, ...NUMBER_OPS];
const ATTRIBUTE_OPS: readonly Op[] = [...PROPERTY_OPS, "before", "after", "withinDays"];

const OPS: Readonly<Record<FieldKind, readonly Op[]>> = {
  email: TEXT_OPS,
  domain: TEXT_OPS,
  firstName: TEXT_OPS,
  lastName: TEXT_OPS,
  status: IS_OPS,
  tag: IS_OPS,
  list: IS_OPS,
  segment: IS_OPS,
  received: IS_OPS,
  opened: IS_OPS,
  clicked: IS_OPS,
  createdAt: ["withinDays", "notWithinDays", "before", "after"],
  attribute: ATTRIBUTE_OPS,
  score: ["greaterThan", "lessThan", "equals"],
  event: ["atLeast", "atMost", "exactly"],
};

export const opsOf = (field: FieldKind): readonly Op[] => OPS[field];

const OWN_VALUE: Partial<Record<FieldKind, ValueKind>> = {
  status: "status",
  tag: "tag",
  list: "list",
  segment: "segment",
  received: "campaign",
  opened: "campaign",
  clicked: "campaign",
  score: "number",
  event: "count",
};

/** What the op of a field compares with. */
export function valueKindOf(field: FieldKind, op: Op): ValueKind {
  const own = OWN_VALUE[field];
  if (own !== undefined) return own;
  if (op === "before" || op === "after") return field === "createdAt" ? "moment" : "date";
  if (op === "withinDays" || op === "notWithinDays") return "days";
  return testKindOf(op, field === "attribute" ? "scalar" : "text");
}

/** The same for a test of an event's property. */
export const propertyKindOf = (op: Op): ValueKind => testKindOf(op, "scalar");

function testKindOf(op: Op, plain: "text" | "scalar"): ValueKind {
  if (op === "exists" || op === "notExists") return "none";
  if (op === "greaterThan" || op === "lessThan") return "number";
  return op === "startsWith" || op === "endsWith" ? "text" : plain;
}

/** Fields that can be limited to the last days. */
export const hasWithinDays = (field: FieldKind): boolean =>
  field === "event" || field === "received" || field === "opened" || field === "clicked";

export const STATUSES = ["SUBSCRIBED", "PENDING", "UNSUBSCRIBED", "BOUNCED"] as const;
export type Status = (typeof STATUSES)[number];

const ATTRIBUTE = "attributes.";
const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

export const isAttributeName = (name: string): boolean => ATTRIBUTE_NAME.test(name);

/** The field of a condition as the API writes it, and an attribute's name where it is one. */
export function fieldFrom(text: string): { readonly field: FieldKind; readonly name: string } | null {
  if (text.startsWith(ATTRIBUTE)) {
    const name = text.slice(ATTRIBUTE.length);
    return isAttributeName(name) ? { field: "attribute", name } : null;
  }
  const field = FIELD_KINDS.find((known) => known === text && known !== "attribute");
  return field === undefined ? null : { field, name: "" };
}

export const fieldText = (field: FieldKind, name: string): string =>
  field === "attribute" ? ATTRIBUTE + name : field;
