import type { LedgerStore } from "#deliveries/store.ts";
import { MINUTES_KEPT_MS, minuteCounts } from "#storage/common/ledger/minute-counts.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

const FIND = `SELECT s.at, sum(s.n)::int8 AS n FROM domain_sends AS s JOIN workspaces AS w ON w.seq = s.workspace
  WHERE w.id = $1 AND s.domain = ANY($2::text[]) AND s.at >= $3 GROUP BY s.at ORDER BY s.at`;

/** Reads what was counted for some domains. */
export function domainSendsRead({ read }: PostgresDatabase): LedgerStore["domainSends"] {
  return (workspaceId, domains, since) => read(({ rows }) => rows(FIND, [workspaceId, domains, since]));
}

const COUNT = "INSERT INTO domain_sends (workspace, domain, at, n) VALUES ($1, $2, $3, $4)";
/** Skips what another transaction is removing. */
const FORGET = `DELETE FROM domain_sends WHERE ctid = ANY(ARRAY(SELECT ctid FROM domain_sends
  WHERE workspace = $1 AND domain = $2 AND at < $3 FOR UPDATE SKIP LOCKED))`;

/** Counts messages to limited domains. Nothing is written before `book`. */
export function domainCounts() {
  const { add, all } = minuteCounts();
  return {
    add,
    async book(tx: Session): Promise<void> {
      for (const { workspace, domain, at, n } of all()) {
        await tx.run(COUNT, [workspace, domain, at, n]);
        await tx.run(FORGET, [workspace, domain, at - MINUTES_KEPT_MS]);
      }
    },
  };
}
