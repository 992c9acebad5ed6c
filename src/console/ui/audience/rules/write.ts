import {
  fieldText,
  hasWithinDays,
  isAttributeName,
  propertyKindOf,
  STATUSES,
  valueKindOf,
} from "./fields.ts";
import type { ValueKind } from "./fields.ts";
import { readNumber } from "../../parts/typed/typed-number.ts";
import { piecesOf } from "./model.ts";
import type { Chip, Group, Json, JsonObject, Meant, Piece, PropertyTest, RuleDraft } from "./model.ts";

/** What is wrong with a piece, and where. Texts are the catalogue's. */
export type RuleProblem = { readonly key: string; readonly code: ProblemCode };
export type ProblemCode =
  | "valueMissing"
  | "nameMissing"
  | "noAttributeName"
  | "noNumber"
  | "noCount"
  | "noDays"
  | "noDate"
  | "tooLong"
  | "propertyMissing"
  | "tooManyTests"
  | "emptyGroup"
  | "tooMany"
  | "tooDeep";

export type Written = {
  /** Null: everybody; there is no condition. */
  readonly rules: Json | null;
  readonly problems: readonly RuleProblem[];
};

const CONDITIONS_MAX = 50;
const GROUPS_DEEP_MAX = 5;
const TESTS_MAX = 20;
const TEXT_CHARACTERS_MAX = 1_000;
const TAG_CHARACTERS_MAX = 100;
const DAYS_MAX = 36_500;

/** The rules of a draft, and what is still wrong with it. Rules with problems must not be sent. */
export function writeRules({ root, isBare }: RuleDraft): Written {
  // The outer group may be empty: that is everybody.
  const problems = [...root.members.flatMap(problemsIn), ...limits(root)];
  const [only] = root.members;
  if (only === undefined) return { rules: null, problems };
  const isAlone = isBare && root.members.length === 1 && root.mode === "all";
  return { rules: jsonOf(isAlone ? only : root), problems };
}

function limits(root: Group): RuleProblem[] {
  const conditions = piecesOf(root).reduce((sum, piece) => sum + conditionsIn(piece), 0);
  const found: RuleProblem[] = conditions > CONDITIONS_MAX ? [{ key: root.key, code: "tooMany" }] : [];
  return depthOf(root) > GROUPS_DEEP_MAX ? [...found, { key: root.key, code: "tooDeep" }] : found;
}

function conditionsIn(piece: Piece): number {
  if (piece.kind === "group") return 0;
  return piece.kind === "chip" ? 1 : lockedConditions(piece.raw);
}

function lockedConditions(rule: Json): number {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return 1;
  const { all, any, not } = rule as JsonObject;
  if (not !== undefined) return lockedConditions(not);
  const members = all ?? any;
  return Array.isArray(members)
    ? (members as readonly Json[]).reduce<number>((sum, each) => sum + lockedConditions(each), 0)
    : 1;
}

/** `none` is two groups: a `not` around an `any`. */
function depthOf(piece: Piece): number {
  if (piece.kind !== "group") return 0;
  const own = piece.mode === "none" ? 2 : 1;
  return own + Math.max(0, ...piece.members.map(depthOf));
}

function problemsIn(piece: Piece): RuleProblem[] {
  if (piece.kind === "locked") return [];
  if (piece.kind === "group")
    return piece.members.length === 0
      ? [{ key: piece.key, code: "emptyGroup" }]
      : piece.members.flatMap(problemsIn);
  const code = chipProblem(piece);
  return code === null ? [] : [{ key: piece.key, code }];
}

/** The first thing that is wrong with a chip. A chip that was read and not changed is right. */
function chipProblem(chip: Chip): ProblemCode | null {
  if (chip.raw !== null) return null;
  const { field, name } = chip;
  if (field === "attribute" && !isAttributeName(name)) return name === "" ? "nameMissing" : "noAttributeName";
  if (field === "event" && !/[\p{L}\p{N}]/u.test(name)) return "nameMissing";
  const value = valueProblem(chip.value, valueKindOf(field, chip.op), chip.meant);
  if (value !== null) return value;
  if (hasWithinDays(field) && chip.withinDays !== "" && !isDays(chip.withinDays)) return "noDays";
  if (chip.where.length > TESTS_MAX) return "tooManyTests";
  return chip.where.map(testProblem).find((code) => code !== null) ?? null;
}

function testProblem({ property, op, value, meant }: PropertyTest): ProblemCode | null {
  if (property.split(".").includes("")) return "propertyMissing";
  return isTooLong(property, TEXT_CHARACTERS_MAX)
    ? "tooLong"
    : valueProblem(value, propertyKindOf(op), meant);
}

function valueProblem(value: string, kind: ValueKind, meant: Meant): ProblemCode | null {
  switch (kind) {
    case "none":
      return null;
    case "number":
      return numberProblem(value);
    case "count":
      return isCount(value) ? null : "noCount";
    case "days":
      return isDays(value) ? null : "noDays";
    case "moment":
    case "date":
      return isDate(value, kind) ? null : "noDate";
    case "status":
      return STATUSES.some((status) => status === value) ? null : "valueMissing";
    case "scalar":
      if (meant === "number") return numberProblem(value);
      return meant === "yesNo" ? null : textProblem(value, TEXT_CHARACTERS_MAX);
    case "tag":
      return textProblem(value.trim(), TAG_CHARACTERS_MAX);
    case "text":
      return textProblem(value, TEXT_CHARACTERS_MAX);
    case "list":
    case "segment":
    case "campaign":
      return value.trim() === "" ? "valueMissing" : null;
  }
}

function textProblem(value: string, max: number): ProblemCode | null {
  if (value.trim() === "") return "valueMissing";
  return isTooLong(value, max) ? "tooLong" : null;
}

const isTooLong = (text: string, max: number): boolean => text.length > max && Array.from(text).length > max;

function numberProblem(value: string): ProblemCode | null {
  if (value.trim() === "") return "valueMissing";
  return readNumber(value) === null ? "noNumber" : null;
}

const isCount = (value: string): boolean =>
  /^\d+$/.test(value.trim()) && Number.isSafeInteger(Number(value.trim()));

function isDays(value: string): boolean {
  const days = readNumber(value);
  return days !== null && days > 0 && days <= DAYS_MAX;
}

const DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function isDate(value: string, kind: "moment" | "date"): boolean {
  const [, day, time] = DATE.exec(value) ?? [];
  if (day === undefined || (time === undefined && kind === "moment")) return false;
  const atMidnight = new Date(`${day}T00:00Z`);
  const isDay = !Number.isNaN(atMidnight.getTime()) && atMidnight.toISOString().startsWith(day);
  return isDay && !Number.isNaN(new Date(value).getTime());
}

function jsonOf(piece: Piece): Json {
  if (piece.kind === "locked") return piece.raw;
  if (piece.kind === "chip") return conditionOf(piece);
  const members = piece.members.map(jsonOf);
  if (piece.mode === "none") return { not: { any: members } };
  return piece.mode === "all" ? { all: members } : { any: members };
}

function conditionOf(chip: Chip): JsonObject {
  if (chip.raw !== null) return chip.raw;
  const { field, op, where } = chip;
  return {
    field: fieldText(field, chip.name),
    op,
    ...(field === "event" ? { name: chip.name } : {}),
    ...valueOf(chip.value, valueKindOf(field, op), chip.meant),
    ...(hasWithinDays(field) && chip.withinDays !== "" ? { withinDays: readNumber(chip.withinDays) } : {}),
    ...(field === "event" && where.length > 0 ? { where: where.map(testOf) } : {}),
  };
}

const testOf = ({ property, op, value, meant }: PropertyTest): JsonObject => ({
  property,
  op,
  ...valueOf(value, propertyKindOf(op), meant),
});

function valueOf(value: string, kind: ValueKind, meant: Meant): JsonObject {
  if (kind === "none") return {};
  if (kind === "number" || kind === "count" || kind === "days") return { value: readNumber(value) };
  if (kind !== "scalar" || meant === "text") return { value };
  return { value: meant === "number" ? readNumber(value) : value === "true" };
}
