import type { Instant } from "#core/time/clock.ts";
import { isCount } from "#segments/holds.ts";
import type { EventCondition, PropertyTest, ValueTest } from "#segments/rule.ts";
import { fits } from "#segments/value-test.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { scoringRules } from "#storage/postgres/schema/schema.ts";
import type { StatementValues } from "./statement-values.ts";
import { jsonValueSql, withinSql, type JsonSql } from "./value-sql.ts";

/**
 * A condition on a workspace's events, as a select of contacts. `isContrary`: it selects those for whom the
 * condition is false, because the condition is true for contacts without such events, and they do not occur here.
 */
export type ContactsSql = { readonly contacts: string; readonly isContrary: boolean };

/** @param workspace its row number, as the statement names it */
type Asked = { readonly workspace: string; readonly now: Instant; readonly values: StatementValues };

/** A rule of the score. */
export type PointsRule = Row<typeof scoringRules, "event" | "minValueCents" | "points">;

const SIGNS = { atLeast: ">=", atMost: "<=", exactly: "=" } as const;

/** Contacts with this many events of a name. */
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

/** What PostgreSQL reads as the index of a list element. */
const NUMBER_LIKE = /^\s*[+-]?\d+$/;
/** What is an index: `propertyAt` of segments/holds.ts. */
const ELEMENT = /^(?:0|[1-9]\d*)$/;

const MISSING = { value: "NULL::jsonb", text: "NULL::text" };

/** A property of the event `e`. No event has names that JSON cannot contain. */
function propertyAt(path: readonly string[], values: StatementValues): JsonSql {
  if (path.some((name) => name.includes("\0") || !name.isWellFormed()))
    return { ...MISSING, folded: MISSING };
  const at = values.add(path, "text[]");
  if (!path.some((name) => NUMBER_LIKE.test(name) && !ELEMENT.test(name))) {
    const from = (column: string) => ({ value: `(${column} #> ${at})`, text: `(${column} #>> ${at})` });
    return { ...from("e.properties"), folded: from("e.folded") };
  }
  // The path is one value, however many steps it has: a statement cannot have very many values.
  const steps = path.map((name, n) => {
    const step = `(${at})[${n + 1}]`;
    // `->` with a text only looks into objects.
    return ELEMENT.test(name) ? `#> ARRAY[${step}]` : `-> ${step}`;
  });
  const from = (column: string) => {
    const value = steps.reduce((found, step) => `(${found} ${step})`, column);
    return { value, text: `(${value} #>> '{}')` };
  };
  return { ...from("e.properties"), folded: from("e.folded") };
}

/** Contacts with a score that fits. The score is the sum over their events under these rules. */
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
  // With the rules in the statement, an index alone answers it, because it has everything that they need.
  return {
    contacts: `SELECT e.contact FROM events AS e
      WHERE e.workspace = ${workspace} AND e.name = ANY(${values.add([...ofNames.keys()], "text[]")})
      GROUP BY e.contact HAVING ${isContrary ? "NOT " : ""}${isFitting}`,
    isContrary,
  };
}

/** The points of the event `e` by the rules for its name. */
const pointsSql = (rules: readonly PointsRule[], values: StatementValues): string =>
  rules
    .map(({ minValueCents, points }) => {
      const given = values.add(points, "int8");
      return minValueCents === null
        ? given
        : `CASE WHEN e.value_cents >= ${values.add(minValueCents, "int8")} THEN ${given} ELSE 0 END`;
    })
    .join(" + ");
