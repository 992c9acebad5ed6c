/**
 * Values for fuzzing, from a document's schemas and from lists of what has broken programs before. The same
 * seed gives the same values.
 */
import type { JsonSchema } from "#http/openapi/openapi.ts";
import { naughtyStrings } from "../common/corpora.ts";
import type { Dice } from "../common/dice.ts";

/** A few of our own, and the Big List of Naughty Strings. */
export const hostileStrings = (): readonly string[] => [
  "\0",
  "\u202Ead\u200B",
  "\uD800",
  "' OR 1=1 --",
  "${7*7}",
  "{{ 7 | times: 7 }}",
  "{% for i in (1..99999999) %}x{% endfor %}",
  "{% raw",
  "<mjml><mj-body>",
  "%00",
  "ﬁ".repeat(300),
  "\r\nBcc: eve@example.com",
  ...naughtyStrings(),
];

/** Stands for JSON that is nested too deeply for a recursive program to write. */
const DEEP_LIST = "@deep-list@";
const DEEP_OBJECT = "@deep-object@";
const DEPTH = 50_000;

/** JSON text, with the deep nesting written out. */
export function bodyText(body: unknown): string {
  return (JSON.stringify(body) ?? "")
    .replaceAll(`"${DEEP_LIST}"`, () => "[".repeat(DEPTH) + "]".repeat(DEPTH))
    .replaceAll(`"${DEEP_OBJECT}"`, () => `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`);
}

const LENGTHS = [0, 1, 64, 65, 100, 101, 200, 201, 254, 255, 998, 999, 70_000, 524_288, 524_289];

/** What may be sent in place of a value, whatever its schema. */
export function oddValue(of: Dice, naughty: readonly string[]): unknown {
  return of.pick<() => unknown>([
    () => null,
    () => of.pick([true, false]),
    () => of.pick([0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53) - 2, 1e21, 1e308, -1e308, 5e-324]),
    () => of.pick(["é", "a", "🌱", "\0", "\u0301"]).repeat(of.pick(LENGTHS)),
    () => of.pick(naughty),
    () => of.pick(naughty),
    () => of.pick<unknown>([[], {}, [[]], [null], [{}], { constructor: 1 }]),
    () => Array.from({ length: of.pick([1, 50, 51, 1000]) }, () => of.pick(naughty)),
    () =>
      Object.fromEntries(
        Array.from({ length: of.pick([1, 50, 51, 1000]) }, (_, i) => [`${of.pick(naughty)}${i}`, i]),
      ),
    () => of.pick([DEEP_LIST, DEEP_OBJECT]),
    () =>
      of.pick([
        "2030-01-01T00:00:00Z",
        "275760-09-13T00:00:00.001Z",
        "0000-00-00",
        "9999-12-31T23:59:60Z",
        "now",
      ]),
    () =>
      of.pick(["ada@example.com", `${"a".repeat(64)}@${"b".repeat(63)}.example`, "a@b", "ada@[127.0.0.1]"]),
  ])();
}

/** A value that fits a schema, not one of its examples; members that may be missing sometimes are. */
export function schemaValue(schema: JsonSchema, of: Dice, naughty: readonly string[]): unknown {
  const {
    type,
    enum: values,
    anyOf,
    oneOf,
    items,
    properties,
    required = [],
  } = schema as {
    type?: string | string[];
    enum?: unknown[];
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    items?: JsonSchema;
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  if (values) return of.pick(values);
  const union = anyOf ?? oneOf;
  if (union) return schemaValue(of.pick(union), of, naughty);
  if (Array.isArray(schema["examples"]) && of.roll(3) > 0) return of.pick(schema["examples"] as unknown[]);
  switch (of.pick([type ?? "string"].flat())) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties ?? {})
          .filter(([name]) => required.includes(name) || of.roll(2) === 0)
          .map(([name, member]) => [name, schemaValue(member, of, naughty)]),
      );
    case "array":
      return Array.from({ length: of.roll(4) }, () => schemaValue(items ?? {}, of, naughty));
    case "integer":
      return of.pick([0, 1, -1, 20, 1999, 2 ** 53 - 1]);
    case "number":
      return of.pick([0, 0.5, -19.99, 1.005, 1e9]);
    case "boolean":
      return of.pick([true, false]);
    case "null":
      return null;
    default:
      return of.pick(naughty);
  }
}

/** Bodies that are no JSON, or no object. */
export const JUNK_BODIES: readonly string[] = [
  "",
  " ",
  "{",
  "null",
  "[]",
  "[{}]",
  "7",
  '"text"',
  "1e999",
  "{'a':1}",
  '{"a":1}{',
  "\uFEFF{}",
  '{"a":"\\ud800"}',
  '{"name":"a","name":"b"}',
  '{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}',
  "\0",
  "<xml/>",
  "name=a&email=b",
  "[".repeat(100_000),
  '{"a":'.repeat(100_000),
];
