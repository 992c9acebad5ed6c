import { isoOf } from "#core/time/iso.ts";
import { counted, quoted } from "#core/text/text.ts";
import type {
  Condition,
  DateTest,
  EventCondition,
  MailCondition,
  Rule,
  TextField,
  ValueTest,
} from "./rule.ts";

/** The names of what a rule refers to; null for what is gone. */
export type NameOf = (kind: "list" | "segment" | "campaign", id: string) => string | null;

/**
 * A rule as an English sentence: "Everybody who has the tag "vip" and (opened any campaign or clicked in any
 * campaign)."
 */
export function sentenceOf(rule: Rule, nameOf: NameOf): string {
  return `Everybody who ${clauseOf(rule, nameOf)}.`;
}

function clauseOf(rule: Rule, nameOf: NameOf): string {
  switch (rule.kind) {
    case "condition":
      return conditionText(rule.condition, nameOf);
    case "not":
      return `does not fit this: (${clauseOf(rule.rule, nameOf)})`;
    case "all":
    case "any": {
      const parts = rule.rules.map((each) => inBrackets(each, rule.rules.length, nameOf));
      return parts.join(rule.kind === "all" ? " and " : " or ");
    }
  }
}

/** A group in a group needs brackets, unless it stands alone or has one member. */
function inBrackets(rule: Rule, beside: number, nameOf: NameOf): string {
  const clause = clauseOf(rule, nameOf);
  const isGroup = (rule.kind === "all" || rule.kind === "any") && rule.rules.length > 1;
  return isGroup && beside > 1 ? `(${clause})` : clause;
}

function conditionText(condition: Condition, nameOf: NameOf): string {
  switch (condition.on) {
    case "text":
      return fieldText(condition.field, condition.test);
    case "tag":
      return `${condition.is ? "has" : "does not have"} the tag ${quoted(condition.tag)}`;
    case "list":
      return `is ${condition.is ? "" : "not "}on ${named("list", condition.listId, nameOf)}`;
    case "segment":
      return `is ${condition.is ? "" : "not "}in ${named("segment", condition.segmentId, nameOf)}`;
    case "createdAt":
      return createdText(condition.test);
    case "attribute":
      return valueText(`an attribute ${condition.name}`, condition.test);
    case "score":
      return `has a score that ${testText(condition.test)}`;
    case "event":
      return eventText(condition);
    case "received":
    case "opened":
    case "clicked":
      return mailText(condition, nameOf);
  }
}

function named(kind: Parameters<NameOf>[0], id: string, nameOf: NameOf): string {
  const name = nameOf(kind, id);
  return name === null ? `a ${kind} that was deleted` : `the ${kind} ${quoted(name)}`;
}

const FIELD_NAMES: Readonly<Record<TextField, string>> = {
  email: "an address",
  firstName: "a first name",
  lastName: "a last name",
  domain: "a mail domain",
  status: "a status",
};

const fieldText = (field: TextField, test: ValueTest): string => valueText(FIELD_NAMES[field], test);

function valueText(name: string, test: ValueTest): string {
  if (test.op === "exists") return `has ${name}`;
  if (test.op === "notExists") return `has no ${name.replace(/^an? /, "")}`;
  return `has ${name} that ${testText(test)}`;
}

function testText(test: ValueTest): string {
  switch (test.op) {
    case "equals":
      return `is ${shown(test.value)}`;
    case "notEquals":
      return `is not ${shown(test.value)}`;
    case "contains":
      return `contains ${shown(test.value)}`;
    case "notContains":
      return `does not contain ${shown(test.value)}`;
    case "startsWith":
      return `starts with ${shown(test.value)}`;
    case "endsWith":
      return `ends with ${shown(test.value)}`;
    case "greaterThan":
      return `is above ${test.value}`;
    case "lessThan":
      return `is below ${test.value}`;
    case "exists":
      return "is there";
    case "notExists":
      return "is missing";
    case "before":
    case "after":
    case "withinDays":
      return `lies ${dateText(test)}`;
    case "notWithinDays":
      return `does not lie ${dateText(test)}`;
  }
}

function createdText(test: DateTest): string {
  return `${test.op === "notWithinDays" ? "was not added" : "was added"} ${dateText(test)}`;
}

const dateText = (test: DateTest): string =>
  "at" in test ? `${test.op} ${isoOf(test.at)}` : `in ${lastDays(test.days)}`;

const shown = (value: string | number | boolean): string =>
  typeof value === "string" ? quoted(value) : String(value);

const lastDays = (days: number): string => (days === 1 ? "the last day" : `the last ${days} days`);

const within = (days: number | null): string => (days === null ? "" : ` in ${lastDays(days)}`);

const TIMES = { atLeast: "at least ", atMost: "at most ", exactly: "exactly " } as const;

function eventText({ name, times, count, withinDays, where }: EventCondition): string {
  const often = `${TIMES[times]}${counted(count, "event", "events")} ${quoted(name)}`;
  const tests = where.map(({ path, test }) => `whose ${path.join(".")} ${testText(test)}`).join(" and ");
  return `has ${often}${within(withinDays)}${tests === "" ? "" : ` ${tests}`}`;
}

const DID = { received: "received", opened: "opened", clicked: "clicked in" } as const;
const DID_NOT = { received: "receive", opened: "open", clicked: "click in" } as const;

function mailText({ on, is, mailId, withinDays }: MailCondition, nameOf: NameOf): string {
  const mail = mailId === null ? "any campaign" : named("campaign", mailId, nameOf);
  return `${is ? DID[on] : `did not ${DID_NOT[on]}`} ${mail}${within(withinDays)}`;
}
