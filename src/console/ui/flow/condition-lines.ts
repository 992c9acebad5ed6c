import { PROPERTY_OPS } from "../audience/rules/fields.ts";
import type { Data } from "./flow.ts";

/** One line of a condition, as the flow stores it. */
export type Line = {
  readonly field: string;
  readonly op: string;
  readonly value?: unknown;
  readonly withinDays?: unknown;
  readonly [member: string]: unknown;
};

export type Match = "all" | "any";

export type Lines = { readonly match: Match; readonly lines: readonly Line[] };

/** The lines of a condition; null if the console cannot show it. */
export function readLines(data: Data): Lines | null {
  const match = (["all", "any"] as const).find((name) => Array.isArray(data[name]));
  if (match === undefined) return null;
  const lines = data[match] as readonly unknown[];
  return lines.every(isLine) ? { match, lines } : null;
}

const isLine = (value: unknown): value is Line =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Line).field === "string" &&
  typeof (value as Line).op === "string";

/** The condition's data with these lines; its other members stay. */
export function writeLines(data: Data, { match, lines }: Lines): Data {
  const { all: _all, any: _any, ...rest } = data;
  return { ...rest, [match]: lines };
}

/** What a line asks about. After `attributes` and `trigger` comes a dot and a name. */
export const LINE_SUBJECTS = [
  "tag",
  "list",
  "opened",
  "clicked",
  "event",
  "status",
  "email",
  "firstName",
  "lastName",
  "score",
  "attributes",
  "trigger",
] as const;

export type LineSubject = (typeof LINE_SUBJECTS)[number];

/** How the value of a line is given. */
export type ValueKind = "text" | "number" | "list" | "status" | "mail" | "tag" | "event";

const TEXT_OPS = ["equals", "notEquals", "contains", "exists"] as const;

type Rules = { readonly ops: readonly string[]; readonly value: ValueKind };

/** What the engine accepts for each subject (docs/decisions.md "Automations"), without what makes no sense for it. */
const RULES: Readonly<Record<LineSubject, Rules>> = {
  tag: { ops: ["equals", "notEquals"], value: "tag" },
  list: { ops: ["equals", "notEquals"], value: "list" },
  opened: { ops: ["exists"], value: "mail" },
  clicked: { ops: ["exists"], value: "mail" },
  event: { ops: ["exists"], value: "event" },
  status: { ops: ["equals", "notEquals"], value: "status" },
  email: { ops: TEXT_OPS, value: "text" },
  firstName: { ops: TEXT_OPS, value: "text" },
  lastName: { ops: TEXT_OPS, value: "text" },
  score: { ops: ["greaterThan", "lessThan", "equals"], value: "number" },
  attributes: { ops: PROPERTY_OPS, value: "text" },
  trigger: { ops: [...TEXT_OPS, "greaterThan", "lessThan"], value: "text" },
};

export const opsOf = (subject: LineSubject): readonly string[] => RULES[subject].ops;
export const valueKindOf = (subject: LineSubject): ValueKind => RULES[subject].value;

/** Whether the op needs a value. For opens, clicks and events, `value` names the mail or the event. */
export const needsValue = (subject: LineSubject, op: string): boolean =>
  !["exists", "notExists"].includes(op) || ["mail", "event"].includes(valueKindOf(subject));

/** The subject of a line, and the name after its dot; null for a field that the console does not know. */
export function subjectOf({ field }: Line): { readonly subject: LineSubject; readonly name: string } | null {
  const dot = field.indexOf(".");
  const [head, name] = dot < 0 ? [field, ""] : [field.slice(0, dot), field.slice(dot + 1)];
  const subject = LINE_SUBJECTS.find((known) => known === head);
  if (subject === undefined) return null;
  return (subject === "attributes" || subject === "trigger") === dot >= 0 ? { subject, name } : null;
}

/** Whether the console can edit a line. Others are shown and kept unchanged. */
export function isEditable(line: Line): boolean {
  const about = subjectOf(line);
  if (about === null || !opsOf(about.subject).includes(line.op)) return false;
  return line.value === undefined || ["string", "number", "boolean"].includes(typeof line.value);
}

/** A new line about a subject. */
export function newLine(subject: LineSubject): Line {
  const field = subject === "attributes" || subject === "trigger" ? `${subject}.` : subject;
  const op = opsOf(subject)[0] ?? "equals";
  const value = valueKindOf(subject) === "status" ? "SUBSCRIBED" : valueKindOf(subject) === "number" ? 0 : "";
  return { field, op, value };
}
