import { fieldFrom, hasWithinDays, opsOf, PROPERTY_OPS, propertyKindOf, valueKindOf } from "./fields.ts";
import type { FieldKind, Op, ValueKind } from "./fields.ts";
import { writeNumber } from "../../parts/typed/typed-number.ts";
import { isJsonObject } from "./model.ts";
import type { Chip, Group, Json, JsonObject, Meant, Mode, Piece, PropertyTest, RuleDraft } from "./model.ts";

/** Reads any rules that the API allows. What cannot be edited here becomes a locked piece: nothing is lost. */
export function readRules(rules: Json): RuleDraft {
  const keys = { next: 0 };
  const newKey = (): string => `k${keys.next++}`;
  const rootKey = newKey();
  const whole = readGroup(rules, rootKey, newKey);
  const root: Group = whole ?? {
    kind: "group",
    key: rootKey,
    mode: "all",
    members: [readPiece(rules, newKey)],
  };
  return { root, isBare: whole === null, next: keys.next };
}

function readPiece(rule: Json, newKey: () => string): Piece {
  const key = newKey();
  const read = isJsonObject(rule) ? (readGroup(rule, key, newKey) ?? readChip(rule, key)) : null;
  return read ?? { kind: "locked", key, raw: rule };
}

/** `none` is written `{ not: { any: […] } }`; another `not` stays locked. */
function readGroup(rule: Json, key: string, newKey: () => string): Group | null {
  const inner = onlyMember(rule, "not");
  const mode: Mode | null =
    inner === undefined ? groupMode(rule) : groupMode(inner) === "any" ? "none" : null;
  if (mode === null) return null;
  const members = onlyMember(inner ?? rule, mode === "all" ? "all" : "any");
  return Array.isArray(members)
    ? {
        kind: "group",
        key,
        mode,
        members: (members as readonly Json[]).map((each) => readPiece(each, newKey)),
      }
    : null;
}

function groupMode(rule: Json): "all" | "any" | null {
  if (Array.isArray(onlyMember(rule, "all"))) return "all";
  return Array.isArray(onlyMember(rule, "any")) ? "any" : null;
}

/** The member of an object that has no other. */
function onlyMember(rule: Json, name: string): Json | undefined {
  if (!isJsonObject(rule)) return undefined;
  const names = Object.keys(rule);
  return names.length === 1 && names[0] === name ? rule[name] : undefined;
}

function readChip(rule: JsonObject, key: string): Chip | null {
  const known = typeof rule["field"] === "string" ? fieldFrom(rule["field"]) : null;
  if (known === null) return null;
  const { field } = known;
  const op = opsOf(field).find((each) => each === rule["op"]);
  if (op === undefined || !Object.keys(rule).every((member) => isMember(field, member))) return null;
  const value = readValue(rule["value"], valueKindOf(field, op));
  const withinDays = readValue(rule["withinDays"] ?? "", "days");
  const where = readWhere(rule["where"]);
  if (value === null || withinDays === null || where === null) return null;
  const name = field === "event" ? rule["name"] : known.name;
  if (typeof name !== "string") return null;
  return { kind: "chip", key, field, name, op, ...value, withinDays: withinDays.value, where, raw: rule };
}

function isMember(field: FieldKind, member: string): boolean {
  if (member === "withinDays") return hasWithinDays(field);
  if (member === "name" || member === "where") return field === "event";
  return member === "field" || member === "op" || member === "value";
}

type Typed = { readonly value: string; readonly meant: Meant };

/** The value as it would be typed. Null if it cannot be typed for this kind. */
function readValue(value: Json | undefined, kind: ValueKind): Typed | null {
  if (kind === "none") return { value: "", meant: "text" };
  if (value === "" && kind === "days") return { value: "", meant: "number" };
  if (kind === "number" || kind === "count" || kind === "days")
    return typeof value === "number" ? { value: writeNumber(value), meant: "number" } : null;
  if (typeof value === "string") return { value, meant: "text" };
  if (kind !== "scalar") return null;
  if (typeof value === "number") return { value: writeNumber(value), meant: "number" };
  return typeof value === "boolean" ? { value: String(value), meant: "yesNo" } : null;
}

function readWhere(where: Json | undefined): PropertyTest[] | null {
  if (where === undefined || where === null) return [];
  if (!Array.isArray(where)) return null;
  const tests = (where as readonly Json[]).map(readTest);
  return tests.every((test) => test !== null) ? tests : null;
}

const TEST_MEMBERS = ["property", "op", "value"];

function readTest(test: Json): PropertyTest | null {
  if (!isJsonObject(test) || !Object.keys(test).every((member) => TEST_MEMBERS.includes(member))) return null;
  const op: Op | undefined = PROPERTY_OPS.find((each) => each === test["op"]);
  const { property } = test;
  if (op === undefined || typeof property !== "string") return null;
  const value = readValue(test["value"], propertyKindOf(op));
  return value === null ? null : { property, op, ...value };
}
