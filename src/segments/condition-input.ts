import { isAttributeName } from "#attributes/attribute.ts";
import { isContactStatus } from "#contacts/contact.ts";
import { parseTags } from "#contacts/tags.ts";
import { isJsonObject } from "#core/request/json-value.ts";
import {
  mapped,
  read,
  readAll,
  readText,
  unreadable,
  type Data,
  type Reading,
} from "#core/request/reading.ts";
import { quoted } from "#core/text/text.ts";
import { normalizeEventName } from "#events/event-name.ts";
import type { Condition, EventCondition, MailCondition, PropertyTest, TextField } from "./rule.ts";
import {
  ATTRIBUTE_OPS,
  NUMBER_OPS,
  placeOf,
  readDateTest,
  readOp,
  readString,
  readValueTest,
  readWithinDays,
  STRING_OPS,
} from "./value-input.ts";

/** Reads one condition, `{ field, op, value }` (docs/contract.md "Segments"). */

const ATTRIBUTE = "attributes.";
const IS_OPS = ["equals", "notEquals"] as const;
const DATE_OPS = ["before", "after", "withinDays", "notWithinDays"] as const;
const SCORE_OPS = ["equals", ...NUMBER_OPS] as const;
const TIMES = ["atLeast", "atMost", "exactly"] as const;
const WHERE_OPS = [...STRING_OPS, ...NUMBER_OPS] as const;
const WHERE_MAX = 20;
const TEXT_FIELDS: readonly TextField[] = ["email", "firstName", "lastName", "domain"];

type Reader = (data: Data, path: string) => Reading<Condition>;

/** By field: its members, and how they are read. */
const FIELDS: Readonly<Record<string, { readonly members: readonly string[]; readonly read: Reader }>> = {
  ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, { members: [], read: textReader(field) }])),
  status: { members: [], read: readStatus },
  tag: { members: [], read: readTag },
  list: { members: [], read: idReader("list") },
  segment: { members: [], read: idReader("segment") },
  createdAt: { members: [], read: readCreatedAt },
  score: { members: [], read: readScore },
  event: { members: ["name", "withinDays", "where"], read: readEvent },
  received: { members: ["withinDays"], read: mailReader("received") },
  opened: { members: ["withinDays"], read: mailReader("opened") },
  clicked: { members: ["withinDays"], read: mailReader("clicked") },
};

export function readCondition(data: Data, path: string): Reading<Condition> {
  const { field } = data;
  const known = typeof field === "string" ? fieldOf(field) : undefined;
  if (typeof field !== "string" || known === undefined)
    return unreadable(
      `${path}.field`,
      `\`field\` must be one of ${Object.keys(FIELDS).join(", ")} or attributes.<name>.`,
    );
  const members = ["field", "op", "value", ...known.members];
  const unknown = Object.keys(data).find((member) => !members.includes(member));
  if (unknown !== undefined)
    return unreadable(
      placeOf(path, unknown),
      `A condition on \`${field}\` has no member ${quoted(unknown)}; it has ${members.join(", ")}.`,
    );
  return known.read(data, path);
}

function fieldOf(field: string) {
  if (Object.hasOwn(FIELDS, field)) return FIELDS[field];
  const isAttribute = field.startsWith(ATTRIBUTE) && isAttributeName(field.slice(ATTRIBUTE.length));
  return isAttribute ? { members: [], read: readAttribute } : undefined;
}

function textReader(field: TextField): Reader {
  return (data, path) => {
    const op = readOp(field, data.op, STRING_OPS, path);
    if (!op.ok) return op;
    return mapped(readValueTest(op.value, data, path, "string"), (test) => ({ on: "text", field, test }));
  };
}

/** The condition on an attribute; `field` is `attributes.<name>`, with a name that is one. */
export function readAttribute(data: Data, path: string): Reading<Condition> {
  const field = String(data.field);
  const op = readOp(field, data.op, ATTRIBUTE_OPS, path);
  if (!op.ok) return op;
  const name = field.slice(ATTRIBUTE.length);
  return mapped(readValueTest(op.value, data, path, "any"), (test) => ({ on: "attribute", name, test }));
}

export const isAttributeField = (field: unknown): boolean =>
  typeof field === "string" && field.startsWith(ATTRIBUTE) && fieldOf(field) !== undefined;

function readStatus({ op: given, value }: Data, path: string): Reading<Condition> {
  const op = readOp("status", given, IS_OPS, path);
  if (!op.ok) return op;
  return isContactStatus(value)
    ? read({ on: "text", field: "status", test: { op: op.value, value } })
    : unreadable(`${path}.value`, "`value` must be PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.");
}

function readTag({ op: given, value }: Data, path: string): Reading<Condition> {
  const op = readOp("tag", given, IS_OPS, path);
  if (!op.ok) return op;
  if (typeof value !== "string") return unreadable(`${path}.value`, "`value` must be a tag, as a string.");
  const tags = parseTags([value]);
  if (!tags.ok) return unreadable(`${path}.value`, tags.refusal.message);
  const [tag] = tags.value;
  return tag === undefined
    ? unreadable(`${path}.value`, "`value` must be a tag, and not empty.")
    : read({ on: "tag", is: op.value === "equals", tag });
}

function idReader(on: "list" | "segment"): Reader {
  return (data, path) => {
    const op = readOp(on, data.op, IS_OPS, path);
    if (!op.ok) return op;
    const is = op.value === "equals";
    return mapped(readText(data, "value", path), (id) =>
      on === "list" ? { on, is, listId: id } : { on, is, segmentId: id },
    );
  };
}

function readCreatedAt({ op: given, value }: Data, path: string): Reading<Condition> {
  const op = readOp("createdAt", given, DATE_OPS, path);
  if (!op.ok) return op;
  return mapped(readDateTest(op.value, value, path), (test) => ({ on: "createdAt", test }));
}

function readScore(data: Data, path: string): Reading<Condition> {
  const op = readOp("score", data.op, SCORE_OPS, path);
  if (!op.ok) return op;
  return mapped(readValueTest(op.value, data, path, "number"), (test) => ({ on: "score", test }));
}

function readEvent(data: Data, path: string): Reading<EventCondition> {
  const times = readOp("event", data.op, TIMES, path);
  if (!times.ok) return times;
  const { value: count, name: given } = data;
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0)
    return unreadable(`${path}.value`, "`value` must be a whole number, 0 or more: how many events.");
  const name = typeof given === "string" ? normalizeEventName(given) : "";
  if (name === "")
    return unreadable(`${path}.name`, "`name` must be the name of an event, with a letter or digit in it.");
  const withinDays = readWithinDays(data, path);
  if (!withinDays.ok) return withinDays;
  return mapped(readWhere(data.where, `${path}.where`), (where) => ({
    on: "event",
    times: times.value,
    count,
    name,
    withinDays: withinDays.value,
    where,
  }));
}

function readWhere(where: unknown, path: string): Reading<PropertyTest[]> {
  if (where === undefined || where === null) return read([]);
  if (!Array.isArray(where) || where.length > WHERE_MAX)
    return unreadable(path, `\`where\` must be an array of at most ${WHERE_MAX} tests of properties.`);
  return readAll((where as unknown[]).map((entry, index) => readPropertyTest(entry, `${path}[${index}]`)));
}

const PROPERTY_MEMBERS = ["property", "op", "value"];

function readPropertyTest(entry: unknown, path: string): Reading<PropertyTest> {
  if (!isJsonObject(entry))
    return unreadable(path, "A test must be an object with `property`, `op` and `value`.");
  const unknown = Object.keys(entry).find((member) => !PROPERTY_MEMBERS.includes(member));
  if (unknown !== undefined)
    return unreadable(
      placeOf(path, unknown),
      `A test of a property has no member ${quoted(unknown)}; it has ${PROPERTY_MEMBERS.join(", ")}.`,
    );
  const property = readString(entry.property, `${path}.property`);
  const names = property.ok ? property.value.split(".") : [""];
  if (names.includes(""))
    return unreadable(`${path}.property`, "`property` must be the path of a property, such as `cart.total`.");
  const op = readOp("where", entry.op, WHERE_OPS, path);
  if (!op.ok) return op;
  return mapped(readValueTest(op.value, entry, path, "any"), (test) => ({ path: names, test }));
}

const ANY_MAIL = "any";

function mailReader(on: MailCondition["on"]): Reader {
  return (data, path) => {
    const op = readOp(on, data.op, IS_OPS, path);
    if (!op.ok) return op;
    const id = readText(data, "value", path);
    if (!id.ok) return unreadable(`${path}.value`, "`value` must be the id of a campaign, or `any`.");
    const mailId = id.value === ANY_MAIL ? null : id.value;
    return mapped(readWithinDays(data, path), (withinDays) => ({
      on,
      is: op.value === "equals",
      mailId,
      withinDays,
    }));
  };
}
