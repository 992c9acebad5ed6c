import { fold } from "#core/text/fold.ts";
import type { Instant } from "#core/time/clock.ts";
import type { JsonObject, JsonValue } from "#core/request/json-value.ts";
import { DAY_MS } from "#core/time/time.ts";
import { hasProperties, isCount } from "#segments/holds.ts";
import type { EventCondition, PropertyTest, ValueTest } from "#segments/rule.ts";
import { pointsOf } from "#scoring/scoring-rule.ts";
import { fits } from "#segments/value-test.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { eventIndex, recordCounts, scoringRules } from "#storage/sqlite/schema/schema.ts";
import type { ContactBits } from "./contact-bits.ts";
import { isPlainInJson } from "./plain-json.ts";
import type { Population } from "./population.ts";
import { rememberedTest } from "./remembered-test.ts";
import { CANDIDATES, OF_NUMBERS, sweepRows, sweepSeqs, type Sweep, type Values } from "./sweep.ts";

/** Conditions on events: all events of a name are read once, and counted by contact. */

/** A set of contacts, or its complement. */
export type SetOrContrary = { readonly bits: ContactBits; readonly isContrary: boolean };

/**
 * A contact without such an event counts 0 but does not occur in the log. So if 0 fits, the contacts that do not
 * fit are collected instead.
 */
export function eventSet(
  population: Population,
  condition: EventCondition,
  among: ContactBits | null,
): SetOrContrary {
  const { times, count } = condition;
  const isContrary = isCount(0, times, count);
  const counts = countsOf(population, condition, candidatesFor(population, condition.name, among));
  const bits = population.nobody();
  for (let seq = 1; seq < counts.length; seq++) {
    const n = counts[seq] ?? 0;
    if (n > 0 && isCount(n, times, count) !== isContrary) bits.add(seq);
  }
  return { bits, isContrary };
}

/** Those of `among`, if reading all their events is less work than reading all events of the name. */
function candidatesFor(population: Population, name: string, among: ContactBits | null): ContactBits | null {
  if (among === null) return null;
  const { sqlite, workspace, size } = population;
  const counted = sqlite.query<Row<typeof recordCounts, "n">, [number, string]>(
    "SELECT n FROM record_counts WHERE workspace = ? AND kind = 'event' AND status = ?",
  );
  const ofEach = 2 + (counted.get(workspace, "")?.n ?? 0) / Math.max(size, 1);
  return among.size * ofEach < (counted.get(workspace, name)?.n ?? 0) ? among : null;
}

function countsOf(
  population: Population,
  { name, withinDays, where }: EventCondition,
  among: ContactBits | null,
): Uint32Array {
  const counts = new Uint32Array(population.newest + 1);
  const { now, sqlite } = population;
  const add = (contact: number): void => void (counts[contact] = (counts[contact] ?? 0) + 1);
  const times: Values = withinDays === null ? {} : { since: now - withinDays * DAY_MS, now };
  const within = withinDays === null ? "" : "AND e.created_at >= $since AND e.created_at <= $now";
  if (where.length === 0) {
    const read = { name, columns: "e.contact AS found", only: within, values: times, among };
    for (const part of partsOf(population, read))
      sweepSeqs(sqlite, part, (contacts) => contacts.forEach(add));
    return counts;
  }
  const likely = likelyOf(where);
  const asked = propertiesOf(where);
  const read = {
    name,
    columns: `e.contact, ${asked.columns}`,
    only: `${within} ${likely.sql}`,
    values: { ...times, ...likely.values, ...asked.values },
    among,
  };
  for (const part of partsOf(population, read))
    sweepRows(sqlite, part, asked.names, (contact, columns, row) => {
      if (asked.tests.every((test, n) => test(columns[n]?.[row] ?? null, now))) add(contact);
    });
  return counts;
}

/** Long properties are not in the index, and neither are the newest events: these are read from the log. */
const PROPERTIES = "coalesce(e.properties, (SELECT l.properties FROM events AS l WHERE l.seq = e.seq))";

/** What is read of an event's properties, one SQL column per test; and the tests for what was read. */
type AskedProperties = {
  readonly columns: string;
  readonly names: readonly string[];
  readonly values: Values;
  readonly tests: readonly ((value: JsonValue, now: Instant) => boolean)[];
};

/**
 * SQLite extracts the values if its result is the same as `propertyAt`: it does not look into lists, and it
 * compares names as they are written in JSON. Otherwise the whole properties are read.
 */
function propertiesOf(where: readonly PropertyTest[]): AskedProperties {
  if (!where.every(({ path }) => path.every((name) => isPlainInJson(name) && !/^\d+$/.test(name))))
    return {
      columns: `${PROPERTIES} AS properties`,
      names: ["properties"],
      values: {},
      tests: [(properties, now) => hasProperties(properties as JsonObject, where, now)],
    };
  const paths = where.map(({ path }) => `$${path.map((name) => `."${name}"`).join("")}`);
  return {
    columns: paths.map((_, at) => `coalesce(${PROPERTIES} -> $path${at}, 'null') AS value${at}`).join(", "),
    names: paths.map((_, at) => `value${at}`),
    values: Object.fromEntries(paths.map((path, at) => [`path${at}`, path])),
    tests: where.map(({ test }) => rememberedTest(test)),
  };
}

/** What is read of the events of a name (alias `e`). */
type EventRead = {
  readonly name: string;
  readonly columns: string;
  readonly only: string;
  readonly values: Values;
  /** The contacts whose events are read; null: all. The newest events are always read for all. */
  readonly among: ContactBits | null;
};

/**
 * Indexed events are read from the index, the newest ones from the log
 * (storage/sqlite/events/event-index.ts).
 */
function partsOf(population: Population, { name, columns, only, values, among }: EventRead): Sweep[] {
  const { sqlite, workspace } = population;
  const { through } = present(
    sqlite
      .query<Row<typeof eventIndex, "through">, []>("SELECT through FROM event_index WHERE only = 1")
      .get(),
    "row of event_index",
  );
  const part = (table: string, range: { after: number; through: number }): Sweep => ({
    sql: `SELECT ${columns} FROM ${table} AS e
      WHERE e.workspace = $workspace AND e.name = $name AND e.seq > $after AND e.seq <= $through ${only}`,
    values: { ...values, workspace, name },
    ...range,
  });
  // Rows in the index by contact that are after `through` belong to the log's part.
  const ofCandidates = `SELECT ${columns} FROM ${CANDIDATES}
    CROSS JOIN contact_events AS k ON k.contact = w.value AND k.name = $name AND k.seq <= $indexed
    CROSS JOIN named_events AS e ON e.workspace = $workspace AND e.name = $name AND e.seq = k.seq WHERE TRUE ${only}`;
  return [
    among === null
      ? part("named_events", { after: 0, through })
      : { sql: ofCandidates, values: { ...values, workspace, name, indexed: through }, among },
    part("events", { after: through, through: population.newestOf("events") }),
  ];
}

/**
 * Filters out most events that do not fit, before they are parsed: if a test wants a plain text or a number, that
 * must occur in the properties. Only for ASCII is lower case the same as folding; other properties are let through.
 */
function likelyOf(where: readonly PropertyTest[]): { sql: string; values: Values } {
  const wanted = where.flatMap(({ test }) => wantedIn(test) ?? []);
  const values = Object.fromEntries(wanted.map((text, at) => [`wanted${at}`, text]));
  const sql = wanted.map((text, at) => {
    // A test without letters needs no lower case.
    const searched = /[a-z]/.test(text) ? `lower(${PROPERTIES})` : PROPERTIES;
    return `AND (instr(${searched}, $wanted${at}) > 0 OR length(${PROPERTIES}) <> octet_length(${PROPERTIES}))`;
  });
  return { sql: sql.join(" "), values };
}

function wantedIn(test: ValueTest): string | null {
  if (!("value" in test) || test.op.startsWith("not")) return null;
  if (test.op === "greaterThan" || test.op === "lessThan") return null;
  const text = fold(String(test.value));
  return isPlainInJson(text) ? text : null;
}

/** Contacts whose score, the sum over their events under the current rules, fits a test. */
export function scoreSet(population: Population, test: ValueTest): SetOrContrary {
  const { now } = population;
  const scores = scoresOf(population);
  const isContrary = fits(0, test, now);
  const bits = population.nobody();
  for (let seq = 1; seq < scores.length; seq++) {
    const score = scores[seq] ?? 0;
    if (score !== 0 && fits(score, test, now) !== isContrary) bits.add(seq);
  }
  return { bits, isContrary };
}

function scoresOf(population: Population): Float64Array {
  const { sqlite, workspace } = population;
  const rules = sqlite
    .query<ScoringRow, [number]>(
      "SELECT event, min_value_cents AS minValueCents, points FROM scoring_rules WHERE workspace = ?",
    )
    .all(workspace);
  const scores = new Float64Array(population.newest + 1);
  const columns = "e.contact, coalesce(e.value_cents, 'null') AS cents";
  for (const [name, own] of Map.groupBy(rules, ({ event }) => event))
    for (const part of partsOf(population, { name, columns, only: "", values: {}, among: null }))
      sweepRows(
        sqlite,
        part,
        ["cents"],
        (contact, [cents = []], row) => {
          scores[contact] = (scores[contact] ?? 0) + pointsOf(own, cents[row] as number | null);
        },
        OF_NUMBERS,
      );
  return scores;
}

type ScoringRow = Row<typeof scoringRules, "event" | "minValueCents" | "points">;
