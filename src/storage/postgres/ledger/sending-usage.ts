/**
 * How much of its limits a workspace has used in a period: a day or a month, as `localTime` names it. Stores that
 * reserve messages call this inside their own open transaction.
 */
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { sendingUsage } from "#storage/postgres/schema/schema.ts";

const MAKE = `INSERT INTO sending_usage (workspace, period, n)
  SELECT $1, period, 0 FROM unnest($2::text[]) AS period ORDER BY period ON CONFLICT DO NOTHING`;
const LOCK = `SELECT period, n FROM sending_usage WHERE workspace = $1 AND period = ANY($2::text[])
  ORDER BY period FOR NO KEY UPDATE`;
const RESERVE = "UPDATE sending_usage SET n = n + $3 WHERE workspace = $1 AND period = $2";

/** Locks the usage of these periods until the transaction ends: the next reservation sees this one. */
export async function lockUsage(
  tx: Session,
  workspace: number,
  periods: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  await tx.run(MAKE, [workspace, periods]);
  const rows = await tx.rows<Row<typeof sendingUsage, "period" | "n">>(LOCK, [workspace, periods]);
  return new Map(rows.map(({ period, n }) => [period, n]));
}

/** Call it with the period locked. */
export async function reserveUsage(tx: Session, workspace: number, period: string, n: number): Promise<void> {
  await tx.run(RESERVE, [workspace, period, n]);
}

const GIVE_BACK = `WITH freed AS (
    SELECT m.workspace, p.period, sum(f.n)::int8 AS n
    FROM unnest($1::int8[], $2::int8[]) AS f (mailing, n) JOIN mailings AS m ON m.seq = f.mailing
    CROSS JOIN LATERAL (VALUES (m.reserved_day), (m.reserved_month)) AS p (period)
    WHERE p.period IS NOT NULL GROUP BY m.workspace, p.period),
  locked AS MATERIALIZED (
    SELECT u.workspace, u.period, f.n FROM sending_usage AS u JOIN freed AS f USING (workspace, period)
    ORDER BY u.workspace, u.period FOR NO KEY UPDATE OF u)
  UPDATE sending_usage AS u SET n = greatest(0, u.n - l.n) FROM locked AS l
  WHERE u.workspace = l.workspace AND u.period = l.period`;

/** Gives back what mailings had reserved for messages that will never be sent. */
export async function giveBackUsage(tx: Session, freed: ReadonlyMap<number, number>): Promise<void> {
  const some = [...freed].filter(([, n]) => n > 0);
  if (some.length === 0) return;
  await tx.run(GIVE_BACK, [some.map(([mailing]) => mailing), some.map(([, n]) => n)]);
}
