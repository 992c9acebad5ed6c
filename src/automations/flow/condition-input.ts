import { isJsonObject } from "#core/request/json-value.ts";
import type { ConditionTest } from "./flow-step.ts";
import {
  mapped,
  numberOf,
  read,
  readAll,
  unreadable,
  type Data,
  type Reading,
} from "#core/request/reading.ts";
import { isAttributeField, readAttribute } from "#segments/condition-input.ts";
import type { TextField } from "#segments/rule.ts";
import { readValueTest } from "#segments/value-input.ts";
import { isHasField, opRefusal, readHasTest, type ConditionOp } from "./has-test.ts";

const OPS: readonly ConditionOp[] = ["equals", "notEquals", "contains", "exists", "greaterThan", "lessThan"];
const TEXT_FIELDS: readonly TextField[] = ["status", "email", "firstName", "lastName"];
const TEXT_OPS = ["equals", "notEquals", "contains", "exists"] as const;
const NUMBER_OPS = ["equals", "notEquals", "greaterThan", "lessThan", "exists"] as const;
const PROPERTY = "trigger.";

/** Reads `{ all: [...] }` or `{ any: [...] }` of a condition node: one of them, with at least one test. */
export function readCondition(data: Data): Reading<{ match: "all" | "any"; tests: ConditionTest[] }> {
  const given = (["all", "any"] as const).filter(
    (member) => data[member] !== undefined && data[member] !== null,
  );
  const [match] = given;
  if (match === undefined || given.length > 1)
    return unreadable("data", "A condition has either `all` or `any`.");
  const entries = data[match];
  if (!Array.isArray(entries) || entries.length === 0)
    return unreadable(`data.${match}`, `\`${match}\` must be an array with at least one test.`);
  const tests = readAll(
    (entries as unknown[]).map((entry, index) => readTest(entry, `data.${match}[${index}]`)),
  );
  return tests.ok ? read({ match, tests: tests.value }) : tests;
}

function readTest(entry: unknown, path: string): Reading<ConditionTest> {
  if (!isJsonObject(entry))
    return unreadable(path, "A test must be an object with `field`, `op` and `value`.");
  const { field } = entry;
  if (isAttributeField(field)) return readAttribute(entry, path);
  const op = OPS.find((known) => known === entry.op);
  if (op === undefined) return unreadable(`${path}.op`, `\`op\` must be one of ${OPS.join(", ")}.`);
  const textField = TEXT_FIELDS.find((known) => known === field);
  if (textField !== undefined) return readTextTest(textField, op, entry, path);
  if (field === "score") return readScoreTest(op, entry, path);
  if (isHasField(field)) return readHasTest(field, op, entry, path);
  if (typeof field === "string" && field.startsWith(PROPERTY))
    return readPropertyTest(field, op, entry, path);
  return unreadable(
    `${path}.field`,
    "`field` must be status, email, firstName, lastName, attributes.<name>, tag, list, score, event, opened, clicked or trigger.<path>.",
  );
}

/** Compared with an empty string, the test is whether the text exists. Segments have ops of their own for that. */
function readTextTest(field: TextField, op: ConditionOp, entry: Data, path: string): Reading<ConditionTest> {
  const refusal = opRefusal(field, op, TEXT_OPS, path);
  if (refusal !== null) return refusal;
  if (op === "equals" && entry.value === "") return read({ on: "text", field, test: { op: "notExists" } });
  if (op === "notEquals" && entry.value === "") return read({ on: "text", field, test: { op: "exists" } });
  return mapped(readValueTest(op, entry, path, "string"), (test) => ({ on: "text", field, test }));
}

function readScoreTest(op: ConditionOp, entry: Data, path: string): Reading<ConditionTest> {
  const refusal = opRefusal("score", op, NUMBER_OPS, path);
  if (refusal !== null) return refusal;
  const typed = { value: numberOf(entry.value) };
  return mapped(readValueTest(op, typed, path, "number"), (test) => ({ on: "score", test }));
}

function readPropertyTest(field: string, op: ConditionOp, entry: Data, path: string): Reading<ConditionTest> {
  const names = field.slice(PROPERTY.length).split(".");
  if (names.includes(""))
    return unreadable(`${path}.field`, "`trigger.` must be followed by the path of a property.");
  const isCompared = op === "greaterThan" || op === "lessThan";
  const typed = isCompared ? { value: numberOf(entry.value) } : entry;
  return mapped(readValueTest(op, typed, path, "any"), (test) => ({ on: "property", path: names, test }));
}
