import { expect, test } from "bun:test";
import { addChip, changeChip } from "#console/ui/audience/rules/edit.ts";
import {
  FIELD_KINDS,
  opsOf,
  propertyKindOf,
  PROPERTY_OPS,
  valueKindOf,
} from "#console/ui/audience/rules/fields.ts";
import type { FieldKind, Op, ValueKind } from "#console/ui/audience/rules/fields.ts";
import { EVERYBODY, type Json, type Meant } from "#console/ui/audience/rules/model.ts";
import { readRules } from "#console/ui/audience/rules/read.ts";
import { writeRules } from "#console/ui/audience/rules/write.ts";
import { readRules as readByServer } from "#segments/rules-input.ts";

/** The console's table of fields, ops and values, held against the one of the API. */

const ALL_OPS: readonly Op[] = [
  ...PROPERTY_OPS,
  "before",
  "after",
  "withinDays",
  "notWithinDays",
  "atLeast",
  "atMost",
  "exactly",
];
const VALUES: readonly Json[] = [
  "text",
  "",
  " ",
  "any",
  "SUBSCRIBED",
  "subscribed",
  "2026-11-21",
  "2026-11-21T09:30:00Z",
  "2026-11-21T09:30:00+02:00",
  "2026-02-30",
  "2026-02-30T00:00Z",
  "2026-11-21T25:00Z",
  "x".repeat(100),
  "x".repeat(101),
  "😀".repeat(100),
  "x".repeat(1_000),
  "x".repeat(1_001),
  0,
  1,
  -1,
  1.5,
  36_500,
  36_501,
  1e21,
  true,
  false,
  null,
  [],
];
const isRead = (rules: Json): boolean => readByServer(rules).ok;
const wire = (field: FieldKind): string => (field === "attribute" ? "attributes.plan" : field);
const extra = (field: FieldKind): object => (field === "event" ? { name: "seen" } : {});

test("every field has the ops that the API has for it, and no other", () => {
  const good: Record<string, Json> = {
    none: "x",
    text: "x",
    scalar: "x",
    status: "PENDING",
    tag: "x",
    list: "x",
    segment: "x",
    campaign: "any",
    number: 1,
    count: 1,
    days: 1,
    moment: "2026-11-21T09:30:00Z",
    date: "2026-11-21",
  };
  for (const field of FIELD_KINDS)
    for (const op of ALL_OPS) {
      const value = Object.values(good);
      const accepted = value.some((each) => isRead({ field: wire(field), op, value: each, ...extra(field) }));
      expect([field, op, accepted]).toEqual([field, op, opsOf(field).includes(op)]);
    }
});

/** As a person would type the value into this kind of field; null where there is no way to. */
function typed(kind: ValueKind, value: Json): { value: string; meant: Meant } | null {
  if (kind === "number" || kind === "count" || kind === "days")
    return typeof value === "number" ? { value: String(value), meant: "number" } : null;
  if (typeof value === "string") return { value, meant: "text" };
  if (kind !== "scalar") return null;
  if (typeof value === "number") return { value: String(value), meant: "number" };
  return typeof value === "boolean" ? { value: String(value), meant: "yesNo" } : null;
}

test("what the console lets through, the API takes; what the API refuses, the console names first", () => {
  let looked = 0;
  for (const field of FIELD_KINDS)
    for (const op of opsOf(field))
      for (const value of VALUES) {
        const text = typed(valueKindOf(field, op), value);
        if (text === null) continue;
        const chip = changeChip(addChip(EVERYBODY, "k0", field), "k1", { op });
        const name = field === "attribute" ? "plan" : field === "event" ? "seen" : "";
        const { rules, problems } = writeRules(changeChip(chip, "k1", { name, ...text }));
        const isTaken = isRead(rules);
        const isEmpty = text.value.trim() === "";
        looked++;
        if (problems.length === 0) expect([field, op, value, isTaken]).toEqual([field, op, value, true]);
        // An empty text is something to look for, but nothing that somebody typed.
        else if (!isEmpty) expect([field, op, value, isTaken]).toEqual([field, op, value, false]);
      }
  expect(looked).toBeGreaterThan(800);
});

test("tests of an event's properties likewise", () => {
  for (const op of PROPERTY_OPS)
    for (const value of VALUES)
      for (const property of ["total", "cart.total", "cart..total", ""]) {
        const text = typed(propertyKindOf(op), value);
        if (text === null || text.value.trim() === "") continue;
        const chip = changeChip(addChip(EVERYBODY, "k0", "event"), "k1", { name: "seen" });
        const where = [{ property, op, ...text }];
        const { rules, problems } = writeRules(changeChip(chip, "k1", { where }));
        expect([op, value, property, isRead(rules)]).toEqual([op, value, property, problems.length === 0]);
      }
});

test("whatever the API takes comes back exactly as it was", () => {
  for (const field of FIELD_KINDS)
    for (const op of opsOf(field))
      for (const value of VALUES)
        for (const days of [undefined, null, 3, 0.5]) {
          const rules: Json = {
            field: wire(field),
            op,
            value,
            ...extra(field),
            ...(days === undefined ? {} : { withinDays: days }),
          };
          if (!isRead(rules)) continue;
          const back = writeRules(readRules(rules));
          expect([JSON.stringify(back.rules), back.problems]).toEqual([JSON.stringify(rules), []]);
        }
});
