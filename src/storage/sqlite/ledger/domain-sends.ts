import type { Database } from "bun:sqlite";
import type { LedgerStore } from "#deliveries/store.ts";
import { MINUTES_KEPT_MS, minuteCounts } from "#storage/common/ledger/minute-counts.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { domainSends } from "#storage/sqlite/schema/schema.ts";

type CountRow = Row<typeof domainSends, "at"> & { n: number };

/** Reads what was counted for some domains. */
export function domainSendsRead(sqlite: Database): LedgerStore["domainSends"] {
  const find = sqlite.query<CountRow, { workspaceId: string; domains: string; since: number }>(
    `SELECT s.at, sum(s.n) AS n FROM workspaces w CROSS JOIN json_each($domains) d
     CROSS JOIN domain_sends s ON s.workspace = w.seq AND s.domain = d.value AND s.at >= $since
     WHERE w.id = $workspaceId GROUP BY s.at ORDER BY s.at`,
  );
  return async (workspaceId, domains, since) =>
    find.all({ workspaceId, domains: JSON.stringify(domains), since });
}

/** Counts messages to limited domains, on an open transaction. Nothing is written before `book`. */
export function domainCounts(sqlite: Database) {
  const count = sqlite.query<null, [number, string, number, number]>(
    "INSERT INTO domain_sends VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );
  const forget = sqlite.query<null, [number, string, number]>(
    "DELETE FROM domain_sends WHERE workspace = ? AND domain = ? AND at < ?",
  );
  return () => {
    const { add, all } = minuteCounts();
    return {
      add,
      book(): void {
        for (const { workspace, domain, at, n } of all()) {
          count.run(workspace, domain, at, n);
          forget.run(workspace, domain, at - MINUTES_KEPT_MS);
        }
      },
    };
  };
}
