/** The form of the moved rows in PostgreSQL. */
import type { JsonObject } from "#core/request/json-value.ts";
import { present } from "#core/present.ts";
import { storableObject } from "#core/request/json-texts.ts";
import type { MovedRow, Place, Sums } from "#move/store.ts";
import {
  columnsOf,
  comparedColumns,
  keyOf,
  SUM_MODULUS,
  TALLIED,
  type Column,
  type Kind,
  type MovedTable,
} from "#move/table.ts";
import { foldedProperties } from "#storage/common/events/event-properties.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

type Cell = MovedRow[number];

/** A table in the form in which its rows move: with sums, if each change has its own row here. */
export function rowsOf(table: MovedTable): string {
  if (table.name === "mailings") {
    const sums = TALLIED.map((name) => `coalesce(sum(t.${name}), 0)::int8 AS ${name}`).join(", ");
    return `mailings AS m LEFT JOIN LATERAL (SELECT ${sums} FROM tallies AS t WHERE t.mailing = m.seq) AS n ON true`;
  }
  if (table.isSummed !== true) return table.name;
  const key = table.key.join(", ");
  const numbers = comparedColumns(table).map(({ name }) => name);
  return `(SELECT ${key}, ${numbers.map((name) => `sum(${name})::int8 AS ${name}`).join(", ")} FROM ${table.name}
    GROUP BY ${key} HAVING ${numbers.map((name) => `sum(${name}) <> 0`).join(" OR ")}) AS summed`;
}

const READ: Readonly<Record<Kind, (name: string) => string>> = {
  int: (name) => name,
  text: (name) => name,
  bytes: (name) => name,
  flag: (name) => `${name}::int4`,
  texts: (name) => `to_json(${name})::text`,
  json: (name) => `${name}::text`,
};

export async function readRows(
  { rows }: Session,
  table: MovedTable,
  after: Place | null,
  limit: number,
): Promise<readonly MovedRow[]> {
  const columns = columnsOf(table);
  const read = columns.map(({ name, kind }, at) => `${READ[kind](name)} AS c${at}`);
  const key = table.key.join(", ");
  const places = (after ?? []).map((one, at) => `$${at + 1}::${typeof one === "number" ? "int8" : "text"}`);
  const from = after === null ? "" : `WHERE (${key}) > (${places.join(", ")})`;
  const found = await rows<Record<string, Cell>>(
    `SELECT ${read.join(", ")} FROM ${rowsOf(table)} ${from} ORDER BY ${key} LIMIT ${limit}`,
    after ?? [],
  );
  return found.map((row) => columns.map(({ kind }, at) => plain(kind, row[`c${at}`] ?? null)));
}

/** JSON without the spaces that the database adds. */
const plain = (kind: Kind, cell: Cell): Cell =>
  (kind === "json" || kind === "texts") && typeof cell === "string" ? JSON.stringify(JSON.parse(cell)) : cell;

export const placeOf = (table: MovedTable, row: MovedRow): Place => keyOf(table, table.key, row) as Place;

/** How a statement reads each array, and how a value of it becomes the column's value. */
const WRITTEN: Readonly<Record<Kind, { readonly as: string; readonly value: (name: string) => string }>> = {
  int: { as: "int8", value: (name) => name },
  text: { as: "text", value: (name) => name },
  bytes: { as: "text", value: (name) => `decode(${name}, 'base64')` },
  flag: { as: "int8", value: (name) => `${name} <> 0` },
  texts: { as: "text", value: (name) => `ARRAY(SELECT jsonb_array_elements_text(${name}::jsonb))` },
  json: { as: "text", value: (name) => `${name}::jsonb` },
};

/** In an open transaction. */
export async function writeRows(tx: Session, table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(table);
  if (table.name === "mailings") return await writeMailings(tx, columns, rows);
  if (table.name !== "events") return await insert(tx, table.name, columns, rows);
  const at = columns.findIndex(({ name }) => name === "properties");
  const stored = rows.map((row) => {
    const properties = storableObject(JSON.parse(String(row[at])) as JsonObject);
    return [...row.with(at, properties.json), foldedProperties(properties.object)];
  });
  await insert(tx, table.name, [...columns, { name: "folded", kind: "json" }], stored);
}

/** A mailing's numbers have rows of their own; the first writer's row gets all of them. */
async function writeMailings(
  tx: Session,
  columns: readonly Column[],
  rows: readonly MovedRow[],
): Promise<void> {
  const taken = (names: (name: string) => boolean) => {
    const at = columns.flatMap(({ name }, index) => (names(name) ? [index] : []));
    return {
      columns: at.map((index) => present(columns[index], "column")),
      rows: rows.map((row) => at.map((index) => row[index] ?? null)),
    };
  };
  const own = taken((name) => !TALLIED.includes(name));
  await insert(tx, "mailings", own.columns, own.rows);
  const tallied = taken((name) => name === "seq" || TALLIED.includes(name));
  const named = tallied.columns.map((one) => (one.name === "seq" ? { ...one, name: "mailing" } : one));
  await insert(
    tx,
    "tallies",
    [...named, { name: "slot", kind: "int" }],
    tallied.rows.map((row) => [...row, 0]),
  );
}

async function insert(
  tx: Session,
  into: string,
  columns: readonly Column[],
  rows: readonly MovedRow[],
): Promise<void> {
  const values = columns.map(({ name, kind }) => WRITTEN[kind].value(`r.${name}`));
  const arrays = columns.map(({ kind }, at) => `$${at + 1}::${WRITTEN[kind].as}[]`);
  const names = columns.map(({ name }) => name).join(", ");
  await tx.run(
    `INSERT INTO ${into} (${names}) SELECT ${values.join(", ")} FROM unnest(${arrays.join(", ")}) AS r (${names})`,
    columns.map((_, at) => rows.map((row) => taken(row[at] ?? null))),
  );
}

const taken = (cell: Cell): string | number | null =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString("base64") : cell;

export async function sumsOf({ row }: Session, table: MovedTable): Promise<Sums> {
  const columns = comparedColumns(table);
  const sums = columns.map((column, at) => `coalesce(sum(${summed(table, column)}), 0)::int8 AS c${at}`);
  const found = await row<Record<string, number>>(
    `SELECT count(*) AS n, ${sums.join(", ")} FROM ${rowsOf(table)}`,
  );
  const { n, ...added } = present(found, "sums of a table");
  return {
    rows: table.isSummed === true ? null : present(n, "count of rows"),
    sums: columns.map((_, at) => present(added[`c${at}`], "sum")),
  };
}

/** The length of texts with U+FFFD, which may replace NUL, is not compared. */
function summed({ isSummed }: MovedTable, { name, kind }: Column): string {
  switch (kind) {
    case "int":
      return isSummed === true ? name : `${name} % ${SUM_MODULUS} + 1`;
    case "flag":
      return `${name}::int4 + 1`;
    case "texts":
      return `cardinality(${name}) + 1`;
    case "json":
      return `(${name} IS NOT NULL)::int4`;
    case "text":
      return `CASE WHEN strpos(${name}, U&'\\FFFD') > 0 THEN 1 ELSE octet_length(${name}) + 1 END`;
    case "bytes":
      return `octet_length(${name}) + 1`;
  }
}
