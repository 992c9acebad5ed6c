import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import * as schema from "#storage/postgres/schema/schema.ts";

/** Tables in which a count is the sum of several rows, and the columns of its key. */
const COUNTS: readonly (readonly [PgTable, readonly string[]])[] = [
  [schema.recordCounts, ["workspace", "kind", "status"]],
  [schema.contactCounts, ["workspace", "tag", "status"]],
  [schema.listCounts, ["list", "status"]],
  [schema.attributeCounts, ["workspace", "name", "type"]],
  [schema.enrollmentCounts, ["automation", "status"]],
  [schema.automationNodes, ["automation", "node"]],
  [schema.webhookCounts, ["webhook", "state"]],
  [schema.mailingSkips, ["mailing", "reason"]],
  [schema.mailingReasons, ["mailing", "state", "reason"]],
  [schema.activityCounts, ["workspace", "at"]],
  [schema.mailingActivity, ["mailing", "at"]],
  [schema.domainSends, ["workspace", "domain", "at"]],
];

/** Some milliseconds of work. */
const KEYS_AT_ONCE = 500;

/**
 * Combines the rows of each count into one. Readers see the same sum before and after. It waits for nobody: rows
 * that another node is folding are skipped.
 * @returns how many counts were folded
 */
export async function foldCounts({ write }: Pick<PostgresDatabase, "write">): Promise<number> {
  let folded = 0;
  for (const [table, key] of COUNTS) {
    const statement = foldOf(table, key);
    for (let changed = KEYS_AT_ONCE; changed === KEYS_AT_ONCE; folded += changed)
      changed = await write(async (tx) => (await tx.rows(statement, [KEYS_AT_ONCE])).length);
  }
  return folded;
}

/** A count of 0 needs no row. */
function foldOf(table: PgTable, keyColumns: readonly string[]): string {
  const { name, columns } = getTableConfig(table);
  const summed = columns
    .map((column) => column.name)
    .filter((column) => ![...keyColumns, "folded"].includes(column));
  const key = keyColumns.join(", ");
  const sums = summed.map((column) => `sum(${column})`).join(", ");
  const isLeft = summed.map((column) => `sum(${column}) <> 0`).join(" OR ");
  return `WITH keys AS (SELECT DISTINCT ${key} FROM ${name} WHERE NOT folded LIMIT $1),
    taken AS (DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
      SELECT c.ctid FROM ${name} AS c JOIN keys USING (${key}) FOR UPDATE OF c SKIP LOCKED)) RETURNING *),
    put AS (INSERT INTO ${name} (${key}, ${summed.join(", ")}, folded)
      SELECT ${key}, ${sums}, true FROM taken GROUP BY ${key} HAVING ${isLeft})
    SELECT FROM keys`;
}
