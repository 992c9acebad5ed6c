import { attributeOf } from "#attributes/attribute.ts";
import type { Instant } from "#core/time/clock.ts";
import type { JsonObject, JsonValue } from "#core/request/json-value.ts";
import type { Person } from "./person.ts";
import type { Condition, EventCondition, MailCondition, Rule, TextField } from "./rule.ts";
import { inStoredForm } from "./stored-form.ts";
import { fits, isDated, isWithin } from "./value-test.ts";

/**
 * What a rule is asked with. `ruleOf`: the rule of another segment; null where it is gone, and then nobody is
 * in it. `folded`: as in `fits`.
 */
export type Asked = {
  readonly now: Instant;
  ruleOf(segmentId: string): Rule | null;
  folded?(text: string): string;
};

/** Whether a rule holds for one contact. */
export function holds(rule: Rule, person: Person, asked: Asked): boolean {
  switch (rule.kind) {
    case "all":
      return rule.rules.every((each) => holds(each, person, asked));
    case "any":
      return rule.rules.some((each) => holds(each, person, asked));
    case "not":
      return !holds(rule.rule, person, asked);
    case "condition":
      return meets(rule.condition, person, asked);
  }
}

/** Whether one condition holds for a contact. */
export function meets(condition: Condition, person: Person, asked: Asked): boolean {
  const { now, folded } = asked;
  switch (condition.on) {
    case "text":
      return fits(
        textOf(person, condition.field),
        inStoredForm(condition.field, condition.test),
        now,
        folded,
      );
    case "tag":
      return person.contact.tags.includes(condition.tag) === condition.is;
    case "list":
      return person.listIds.has(condition.listId) === condition.is;
    case "segment":
      return isInSegment(condition.segmentId, person, asked) === condition.is;
    case "createdAt":
      return isDated(person.contact.createdAt, condition.test, now);
    case "attribute":
      return fits(attributeOf(person.contact.attributes, condition.name), condition.test, now, folded);
    case "score":
      return fits(person.score, condition.test, now);
    case "event":
      return happened(condition, person, now);
    case "received":
    case "opened":
    case "clicked":
      return person.mails.some((mail) => isMail(mail, condition, now)) === condition.is;
  }
}

function textOf({ contact }: Person, field: TextField): string {
  return field === "domain" ? contact.email.slice(contact.email.lastIndexOf("@") + 1) : contact[field];
}

function isInSegment(segmentId: string, person: Person, asked: Asked): boolean {
  const rule = asked.ruleOf(segmentId);
  return rule !== null && holds(rule, person, asked);
}

function happened(condition: EventCondition, { events }: Person, now: Instant): boolean {
  const { name, withinDays, where, times, count } = condition;
  const fitting = events.filter(
    (event) =>
      event.name === name &&
      isWithin(event.at, withinDays, now) &&
      hasProperties(event.properties, where, now),
  ).length;
  return isCount(fitting, times, count);
}

/** Whether the number of events is what the condition asks for. */
export function isCount(n: number, times: EventCondition["times"], count: number): boolean {
  if (times === "exactly") return n === count;
  return times === "atLeast" ? n >= count : n <= count;
}

/** Whether an event's properties fit every test. */
export const hasProperties = (
  properties: JsonObject,
  where: EventCondition["where"],
  now: Instant,
): boolean => where.every(({ path, test }) => fits(propertyAt(properties, path), test, now));

/** Own members only, so that `constructor` finds nothing. In an array, the members are numbers from 0. */
export function propertyAt(
  properties: JsonValue | undefined,
  path: readonly string[],
): JsonValue | undefined {
  let value = properties;
  for (const name of path) {
    const isMember = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    if (!isMember || (Array.isArray(value) && name === "length")) return undefined;
    value = (value as Readonly<Record<string, JsonValue>>)[name];
  }
  return value;
}

const INSTANT_OF = { received: "receivedAt", opened: "openedAt", clicked: "clickedAt" } as const;

function isMail(mail: Person["mails"][number], condition: MailCondition, now: Instant): boolean {
  const at = mail[INSTANT_OF[condition.on]];
  const isAsked = condition.mailId === null || condition.mailId === mail.mailId;
  return isAsked && at !== null && isWithin(at, condition.withinDays, now);
}
