import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Rule } from "#segments/rule.ts";
import { foldedProperties } from "#storage/common/events/event-properties.ts";
import { namedThings } from "#storage/postgres/segments/named-things.ts";
import { RuleSql } from "#storage/postgres/segments/rule-sql.ts";
import { StatementValues } from "#storage/postgres/segments/statement-values.ts";
import { NOW, type SegmentWorld } from "./segment-world.ts";

/** The columns of SQLite's world that are copied, as SQLite reads them and as PostgreSQL writes them. */
const TABLES: readonly { readonly from: string; readonly columns: string; readonly into: string }[] = [
  { from: "workspaces", columns: "seq, id, created_at", into: "seq int8, id text, created_at int8" },
  {
    from: "lists",
    columns: "seq, id, workspace, name, search, created_at",
    into: "seq int8, id text, workspace int8, name text, search text, created_at int8",
  },
  {
    from: "mailings",
    columns: "seq, workspace, kind, source_id, phase, created_at",
    into: "seq int8, workspace int8, kind text, source_id text, phase text, created_at int8",
  },
  {
    from: "campaigns",
    columns: "seq, id, workspace, name, subject, search, status, mailing, created_at",
    into: "seq int8, id text, workspace int8, name text, subject text, search text, status text, mailing int8, created_at int8",
  },
  {
    from: "segments",
    columns: "seq, id, workspace, name, rules, created_at, updated_at",
    into: "seq int8, id text, workspace int8, name text, rules text, created_at int8, updated_at int8",
  },
  {
    from: "scoring_rules",
    columns: "seq, id, workspace, event, min_value_cents, points, created_at",
    into: "seq int8, id text, workspace int8, event text, min_value_cents int8, points int8, created_at int8",
  },
  {
    from: "contacts",
    columns:
      "seq, id, workspace, email, first_name, last_name, json(tags) AS tags, status, search, created_at",
    into: "seq int8, id text, workspace int8, email text, first_name text, last_name text, tags text[], status text, search text, created_at int8",
  },
  {
    from: "contact_attributes",
    columns: "contact, workspace, json(attributes) AS attributes, json(folded) AS folded",
    into: "contact int8, workspace int8, attributes jsonb, folded jsonb",
  },
  {
    from: "list_members",
    columns: "list, contact, status, added_at",
    into: "list int8, contact int8, status text, added_at int8",
  },
  {
    from: "events",
    columns: "seq, id, workspace, name, contact, properties, value_cents, created_at",
    into: "seq int8, id text, workspace int8, name text, contact int8, properties jsonb, value_cents int8, created_at int8, folded jsonb",
  },
  {
    from: "deliveries",
    columns: "seq, mailing, contact, address, visit, state, settled_at, opened_at, clicked_at",
    into: "seq int8, mailing int8, contact int8, address text, visit int8, state text, settled_at int8, opened_at int8, clicked_at int8",
  },
];

/** Columns of JSON, which SQLite gives as text. */
const JSON_COLUMNS = ["tags", "attributes", "folded", "properties"];

type CopiedRow = Record<string, unknown>;

/** The same people in PostgreSQL, with the same numbers. */
export async function copySegmentWorld({ sqlite }: SegmentWorld, { write }: PostgresDatabase): Promise<void> {
  await write(async (tx) => {
    for (const { from, columns, into } of TABLES) {
      const rows = sqlite.query<CopiedRow, []>(`SELECT ${columns} FROM ${from}`).all().map(copied);
      const names = into.replaceAll(/ \w+(\[\])?(?=,|$)/g, "");
      await tx.run(
        `INSERT INTO ${from} (${names}) SELECT ${names} FROM jsonb_to_recordset($1::text::jsonb) AS r (${into})`,
        [JSON.stringify(rows)],
      );
    }
  });
}

function copied(row: CopiedRow): CopiedRow {
  const read = Object.entries(row).map(([name, value]) => [
    name,
    JSON_COLUMNS.includes(name) && typeof value === "string" ? (JSON.parse(value) as unknown) : value,
  ]);
  const { properties, ...others } = Object.fromEntries(read) as CopiedRow;
  if (properties === undefined) return others;
  const folded = foldedProperties(properties as never);
  return { ...others, properties, folded: folded === null ? null : (JSON.parse(folded) as unknown) };
}

/** As `SegmentWorld.query`: the places of the people for whom the statement finds that the rule holds. */
export async function queriedInPostgres({ read }: PostgresDatabase, rule: Rule): Promise<number[]> {
  const rows = await read(async (session) => {
    const values = new StatementValues();
    const rules = new RuleSql(1, NOW, await namedThings(session, 1, [rule]), values);
    const where = `${rules.isInWorkspace} AND ${rules.holds(rule)}`;
    return await session.rows<{ seq: number }>(
      `${rules.with} SELECT c.seq FROM contacts AS c WHERE ${where} ORDER BY c.seq`,
      values.all,
    );
  });
  return rows.map(({ seq }) => seq - 1);
}
