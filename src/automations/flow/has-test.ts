import type { ConditionTest } from "./flow-step.ts";
import { numberOf, read, readText, unreadable, type Data, type Reading } from "#core/request/reading.ts";
import { readTag } from "./tag-text.ts";
import { readEventName } from "./trigger-node.ts";

/** The ops of conditions, except those on attributes, which use the ops of segments. */
export type ConditionOp = "equals" | "notEquals" | "contains" | "exists" | "greaterThan" | "lessThan";

const HAS_OPS = ["equals", "contains", "exists", "notEquals"] as const;
const HAS_FIELDS = ["tag", "list", "event", "opened", "clicked"] as const;
const WITHIN_DAYS_MAX = 36_500;

type HasField = (typeof HAS_FIELDS)[number];

export const isHasField = (field: unknown): field is HasField => HAS_FIELDS.some((known) => known === field);

/** Refuses an op that makes no sense for a field; null if it does. */
export function opRefusal(
  field: string,
  op: string,
  allowed: readonly string[],
  path: string,
): Reading<never> | null {
  return allowed.includes(op)
    ? null
    : unreadable(`${path}.op`, `\`${op}\` cannot be asked of \`${field}\`: use ${allowed.join(", ")}.`);
}

/**
 * A test whether the contact has something. `notEquals` is true if the contact does not have it, the other ops if
 * the contact has it.
 */
export function readHasTest(
  field: HasField,
  op: ConditionOp,
  entry: Data,
  path: string,
): Reading<ConditionTest> {
  const refusal = opRefusal(field, op, HAS_OPS, path);
  if (refusal !== null) return refusal;
  const is = op !== "notEquals";
  if (field === "tag") {
    const tag = readTag(entry, "value", path);
    return tag.ok ? read({ on: "tag", is, tag: tag.value }) : tag;
  }
  if (field === "event") return readEventTest(is, entry, path);
  const id = readText(entry, "value", path);
  if (!id.ok) return id;
  return read(
    field === "list"
      ? { on: "list", is, listId: id.value }
      : { on: field, is, mailId: id.value, withinDays: null },
  );
}

function readEventTest(is: boolean, entry: Data, path: string): Reading<ConditionTest> {
  const eventName = readEventName(entry, "value", path);
  if (!eventName.ok) return eventName;
  const withinDays =
    entry.withinDays === undefined || entry.withinDays === null ? null : numberOf(entry.withinDays);
  const isGiven = entry.withinDays !== undefined && entry.withinDays !== null;
  if (isGiven && (withinDays === null || withinDays <= 0 || withinDays > WITHIN_DAYS_MAX))
    return unreadable(
      `${path}.withinDays`,
      `\`withinDays\` must be a number above 0, at most ${WITHIN_DAYS_MAX}.`,
    );
  const often = is ? ({ times: "atLeast", count: 1 } as const) : ({ times: "atMost", count: 0 } as const);
  return read({ on: "event", ...often, name: eventName.value, withinDays, where: [] });
}
