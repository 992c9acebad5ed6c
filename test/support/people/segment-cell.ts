/** The cells of the table of segment fields and ops, and what each consists of. */
import type { Person } from "#segments/person.ts";
import { CAMPAIGNS, event, personWith } from "./segment-world.ts";

export type Kind = "fits" | "doesNot" | "missing" | "wrongType";
/** `holdsFor`: the people it holds for, if the contract's general rule does not say so. */
export type Op = readonly [op: string, value: unknown, more?: object, holdsFor?: readonly Kind[]];
/** Null: nobody is of that kind, because the field is always there and of one type. */
export type Cell = {
  readonly ops: readonly Op[];
  readonly fits: Person;
  readonly doesNot: Person;
  readonly missing: Person | null;
  readonly wrongType: Person | null;
};

export const ALL = ["fits", "doesNot"] as const;

export const texts = (value: string): Op[] => [
  ["equals", value.toUpperCase()],
  ["contains", value.slice(1, 4).toUpperCase()],
  ["startsWith", value.slice(0, 3).toUpperCase()],
  ["endsWith", value.slice(-3).toUpperCase()],
];
export const contraryTexts = (value: string): Op[] => [
  ["notEquals", value.toUpperCase()],
  ["notContains", value.slice(1, 4).toUpperCase()],
];

export const contactWith = (contact: Partial<Person["contact"]>): Person => personWith({ contact });
export const attribute = (plan: string | number | boolean | readonly string[]): Person =>
  personWith({ attributes: { plan } });
export const NONE = personWith({});
export const seen = (daysAgo: number, properties = {}): Person =>
  personWith({ events: [event("seen", daysAgo, properties)] });
export const mailed = (mail: Partial<Person["mails"][number]>): Person =>
  personWith({
    mails: [{ mailId: CAMPAIGNS[0], receivedAt: null, openedAt: null, clickedAt: null, ...mail }],
  });

/** For a property of an event: people with another value, or without the property, have no such event. */
export const where = (op: string, value: unknown): Op => [
  "atLeast",
  1,
  { name: "seen", where: [{ property: "a.b", op, value }] },
  ["fits"],
];

/** The opposite: everybody whose event has another value, or none. */
export const whereNot = (op: string, value: unknown): Op => [
  "atLeast",
  1,
  { name: "seen", where: [{ property: "a.b", op, value }] },
  ["doesNot", "missing", "wrongType"],
];
