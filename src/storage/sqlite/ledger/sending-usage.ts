import type { Database } from "bun:sqlite";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { sendingUsage as usage } from "#storage/sqlite/schema/schema.ts";

/**
 * How much of its limits a workspace has used in a period: a day or a month, as `localTime` names it. Stores that
 * reserve messages call this inside their own open transaction.
 */
export function sendingUsage(sqlite: Database) {
  const used = sqlite.query<Row<typeof usage, "n">, [number, string]>(
    "SELECT n FROM sending_usage WHERE workspace = ? AND period = ?",
  );
  const reserve = sqlite.query<null, [number, string, number]>(
    "INSERT INTO sending_usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );
  return {
    used: (workspace: number, period: string): number => used.get(workspace, period)?.n ?? 0,
    reserve: (workspace: number, period: string, n: number): void => void reserve.run(workspace, period, n),
  };
}
