import type { Instant } from "#core/time/clock.ts";
import { isCount } from "#segments/holds.ts";
import type { EventCondition, PropertyTest, ValueTest } from "#segments/rule.ts";
import { fits } from "#segments/value-test.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { scoringRules } from "#storage/postgres/schema/schema.ts";
import type { StatementValues } from "./statement-values.ts";
import { jsonValueSql, withinSql, type JsonSql } from "./value-sql.ts";

/**
 * What is asked of a workspace's events, as a select of contacts. `isContrary`: it gives those for whom the condition
 * does not hold. It does so where the condition holds for who has no such event and is not met here.
 */
export type ContactsSql = { readonly contacts: string; readonly isContrary: boolean };

/** @param workspace as the statement names its number */
type Asked = { readonly workspace: string; readonly now: Instant; readonly values: StatementValues };

/** What a rule of the score says. */
export type PointsRule = Row<typeof scoringRules, "event" | "minValueCents" | "points">;

const SIGNS = { atLeast: ">=", atMost: "<=", exactly: "=" } as const;

/** Who has so many events of a name. */
export function eventContacts(
  { name, times, count, withinDays, where }: EventCondition,
  { workspace, now, values }: Asked,
): ContactsSql {
  const isContrary = isCount(0, times, count);
  const tests = [
    `e.workspace = ${workspace}`,
    `e.name = ${values.add(name, "text")}`,
    ...(withinDays === null ? [] : [withinSql("e.created_at", withinDays, now, values)]),
    ...where.map((test) => propertySql(test, now, values)),
  ];
  const isMany = `count(*) ${SIGNS[times]} ${values.add(count, "int8")}`;
  return {
    contacts: `SELECT e.contact FROM events AS e WHERE ${tests.join(" AND ")}
      GROUP BY e.contact HAVING ${isContrary ? "NOT " : ""}${isMany}`,
    isContrary,
  };
}

const propertySql = ({ path, test }: PropertyTest, now: Instant, values: StatementValues): string =>
  jsonValueSql(propertyAt(path, values), test, now, values);

/** What PostgreSQL takes for the number of an element of a list. */
const NUMBER_LIKE = /^\s*[+-]?\d+$/;
/** What is one: `propertyAt` of segments/holds.ts. */
const ELEMENT = /^(?:0|[1-9]\d*)$/;

const MISSING = { value: "NULL::jsonb", text: "NULL::text" };

/** A property of the event `e`. Names that are in no JSON are in no event. */
function propertyAt(path: readonly string[], values: StatementValues): JsonSql {
  if (path.some((name) => name.includes("\0") || !name.isWellFormed()))
    return { ...MISSING, folded: MISSING };
  if (!path.some((name) => NUMBER_LIKE.test(name) && !ELEMENT.test(name))) {
    const at = values.add(path, "text[]");
    const from = (column: string) => ({ value: `(${column} #> ${at})`, text: `(${column} #>> ${at})` });
    return { ...from("e.properties"), folded: from("e.folded") };
  }
  const steps = path.map((name) => {
    const step = values.add(name, "text");
    // `->` with a text looks into objects only.
    return ELEMENT.test(name) ? `#> ARRAY[${step}]` : `-> ${step}`;
  });
  const from = (column: string) => {
    const value = steps.reduce((found, step) => `(${found} ${step})`, column);
    return { value, text: `(${value} #>> '{}')` };
  };
  return { ...from("e.properties"), folded: from("e.folded") };
}

/** Who has a score, the sum over the events under these rules. */
export function scoreContacts(
  test: ValueTest,
  rules: readonly PointsRule[],
  { workspace, now, values }: Asked,
): ContactsSql {
  const isContrary = fits(0, test, now);
  if (test.op !== "equals" && test.op !== "greaterThan" && test.op !== "lessThan")
    throw new Error(`Fault in Postrider: \`${test.op}\` is no test of a score.`);
  if (rules.length === 0) return { contacts: "SELECT NULL::int8 AS contact WHERE false", isContrary };
  const ofNames = Map.groupBy(rules, ({ event }) => event);
  const points = [...ofNames].map(
    ([name, ofName]) => `WHEN ${values.add(name, "text")} THEN ${pointsSql(ofName, values)}`,
  );
  const sign = { equals: "=", greaterThan: ">", lessThan: "<" }[test.op];
  const isFitting = `sum(CASE e.name ${points.join(" ")} END) ${sign} ${values.add(JSON.stringify(test.value), "text")}::numeric`;
  // With the rules in the statement an index answers it alone, which has what they ask for.
  return {
    contacts: `SELECT e.contact FROM events AS e
      WHERE e.workspace = ${workspace} AND e.name = ANY(${values.add([...ofNames.keys()], "text[]")})
      GROUP BY e.contact HAVING ${isContrary ? "NOT " : ""}${isFitting}`,
    isContrary,
  };
}

/** What the event `e` gives by the rules for its name. */
const pointsSql = (rules: readonly PointsRule[], values: StatementValues): string =>
  rules
    .map(({ minValueCents, points }) => {
      const given = values.add(points, "int8");
      return minValueCents === null
        ? given
        : `CASE WHEN e.value_cents >= ${values.add(minValueCents, "int8")} THEN ${given} ELSE 0 END`;
    })
    .join(" + ");
