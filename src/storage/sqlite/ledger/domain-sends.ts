import type { Database } from "bun:sqlite";
import { domainOf } from "#core/email-address.ts";
import { HOUR_MS } from "#core/time.ts";
import { minuteOf } from "#deliveries/domains/hour-count.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { domainSends } from "#storage/sqlite/schema/schema.ts";

type CountRow = Row<typeof domainSends, "at"> & { n: number };

/** Older minutes are deleted when their domain is counted again. */
const KEPT_MS = 2 * HOUR_MS;

/** What was counted of some domains. */
export function domainSendsRead(sqlite: Database): LedgerStore["domainSends"] {
  const find = sqlite.query<CountRow, { workspaceId: string; domains: string; since: number }>(
    `SELECT s.at, sum(s.n) AS n FROM workspaces w CROSS JOIN json_each($domains) d
     CROSS JOIN domain_sends s ON s.workspace = w.seq AND s.domain = d.value AND s.at >= $since
     WHERE w.id = $workspaceId GROUP BY s.at ORDER BY s.at`,
  );
  return async (workspaceId, domains, since) =>
    find.all({ workspaceId, domains: JSON.stringify(domains), since });
}

/** Counts messages of limited domains, on an open transaction. Nothing is written before `book`. */
export function domainCounts(sqlite: Database) {
  const count = sqlite.query<null, [number, string, number, number]>(
    "INSERT INTO domain_sends VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n",
  );
  const forget = sqlite.query<null, [number, string, number]>(
    "DELETE FROM domain_sends WHERE workspace = ? AND domain = ? AND at < ?",
  );
  return () => {
    const counted = new Map<string, { workspace: number; domain: string; at: number; n: number }>();
    return {
      add(workspace: number, address: string, now: number): void {
        const [domain, at] = [domainOf(address), minuteOf(now)];
        const key = `${workspace} ${domain} ${at}`;
        const n = (counted.get(key)?.n ?? 0) + 1;
        counted.set(key, { workspace, domain, at, n });
      },
      book(): void {
        for (const { workspace, domain, at, n } of counted.values()) {
          count.run(workspace, domain, at, n);
          forget.run(workspace, domain, at - KEPT_MS);
        }
      },
    };
  };
}
