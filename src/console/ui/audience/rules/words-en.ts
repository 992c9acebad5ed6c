import { isolated } from "../../texts/isolated.ts";
import type { RuleWords, Test } from "./sentence.ts";

/** Rules in English: "Everybody who is subscribed and whose first name starts with “A”." */
export const englishRules: RuleWords = {
  sentence: (clause) => (clause === "" ? "Everybody." : `Everybody ${clause}.`),
  all: (clauses) => joined(clauses, "and"),
  any: (clauses) => joined(clauses, "or"),
  none: (inside) => `for whom this does not hold: (${inside})`,
  unfinished: (field) => `with ${field.toLowerCase()} …`,
  unknown: "who fits a rule that can only be changed over the API",
  fields: {
    status: "Status",
    tag: "Tag",
    list: "List",
    segment: "Segment",
    attribute: "Attribute",
    email: "Address",
    domain: "Mail domain",
    firstName: "First name",
    lastName: "Last name",
    createdAt: "Date added",
    received: "Was sent a campaign",
    opened: "Opened a campaign",
    clicked: "Clicked in a campaign",
    event: "Event",
    score: "Score",
  },
  quoted: (text) => `“${isolated(text)}”`,
  yesNo: (isYes) => (isYes ? "yes" : "no"),
  status: (status, is) => `who is ${is ? "" : "not "}${STATUS[status]}`,
  tag: (tag, is) => `who ${is ? "has" : "does not have"} the tag “${isolated(tag)}”`,
  list: (name, is) => `who is ${is ? "" : "not "}on ${named("list", name)}`,
  segment: (name, is) => `who is ${is ? "" : "not "}in ${named("segment", name)}`,
  created: ({ op, value }) =>
    `who was ${op === "notWithinDays" ? "not " : ""}added ${dateText({ op, value })}`,
  text: (field, test) => valueText(FIELD_NAMES[field], test),
  attribute: (name, test) => valueText({ name: `attribute ${name}`, article: "an" }, test),
  score: (test) => `whose score ${testText(test)}`,
  event: ({ name, op, count, days, where }) =>
    `who did “${isolated(name)}” ${OFTEN[op] ?? ""}${count === "1" ? "once" : `${count} times`}${within(days)}${where
      .map(({ property, test }, i) => `${i === 0 ? ", where" : " and"} ${property} ${testText(test)}`)
      .join("")}`,
  mail: ({ kind, is, isAny, name, days }) => {
    const mail = isAny ? "any campaign" : named("campaign", name);
    return `who ${is ? DID[kind] : DID_NOT[kind]} ${mail}${within(days)}`;
  },
};

const joined = (clauses: readonly string[], word: string): string =>
  clauses.length < 3
    ? clauses.join(` ${word} `)
    : `${clauses.slice(0, -1).join(", ")} ${word} ${clauses.at(-1) ?? ""}`;

const STATUS = {
  SUBSCRIBED: "subscribed",
  PENDING: "waiting for confirmation",
  UNSUBSCRIBED: "unsubscribed",
  BOUNCED: "bounced",
} as const;

const FIELD_NAMES = {
  email: { name: "address", article: "an" },
  domain: { name: "mail domain", article: "a" },
  firstName: { name: "first name", article: "a" },
  lastName: { name: "last name", article: "a" },
} as const;

const named = (kind: string, name: string | null): string =>
  name === null ? `a ${kind} that was deleted` : `the ${kind} “${isolated(name)}”`;

function valueText({ name, article }: { name: string; article: string }, test: Test): string {
  if (test.op === "exists") return `who has ${article} ${name}`;
  if (test.op === "notExists") return `who has no ${name}`;
  return `whose ${name} ${testText(test)}`;
}

const TESTS: Partial<Record<Test["op"], (value: string) => string>> = {
  equals: (value) => `is ${value}`,
  notEquals: (value) => `is not ${value}`,
  contains: (value) => `contains ${value}`,
  notContains: (value) => `does not contain ${value}`,
  startsWith: (value) => `starts with ${value}`,
  endsWith: (value) => `ends with ${value}`,
  greaterThan: (value) => `is above ${value}`,
  lessThan: (value) => `is below ${value}`,
  exists: () => "is there",
  notExists: () => "is missing",
};

const testText = ({ op, value }: Test): string => TESTS[op]?.(value) ?? `is ${dateText({ op, value })}`;

const dateText = ({ op, value }: Test): string => {
  if (op === "before" || op === "after") return `${op} ${value}`;
  return `in ${lastDays(value)}`;
};

const lastDays = (days: string): string => (days === "1" ? "the last day" : `the last ${days} days`);
const within = (days: string | null): string => (days === null ? "" : ` in ${lastDays(days)}`);

const OFTEN: Partial<Record<Test["op"], string>> = {
  atLeast: "at least ",
  atMost: "at most ",
  exactly: "exactly ",
};
const DID = { received: "was sent", opened: "opened", clicked: "clicked in" } as const;
const DID_NOT = { received: "was not sent", opened: "did not open", clicked: "did not click in" } as const;
