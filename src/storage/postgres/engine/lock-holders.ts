/**
 * Who has locked what others wait for: a psql whose transaction was left open, a backup, somebody's script. Only a person
 * can end them, so they are named. Not what they run: that may have words which are nobody's business.
 */
import type { SQL } from "bun";
import { isForeign, isOurs } from "./connection-name.ts";
import type { Session } from "./session.ts";

export type Holder = {
  /** The number of its process, for `pg_terminate_backend`. */
  readonly pid: number;
  /** What it calls itself; empty, or null where our role may not see it. */
  readonly program: string | null;
  readonly role: string | null;
};

const NAMED_MAX = 3;
/** Tables of PostgreSQL itself have lower numbers. */
const FIRST_OWN_TABLE = 16_384;

const OF_TABLES = `SELECT a.pid, a.application_name AS program, a.usename AS role
  FROM pg_stat_activity AS a
  WHERE a.pid <> pg_backend_pid() AND coalesce(a.xact_start < clock_timestamp() - make_interval(secs => $1::float8 / 1000), true)
    AND a.pid IN (SELECT l.pid FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'relation' AND l.granted AND l.relation >= ${FIRST_OWN_TABLE})
  ORDER BY a.xact_start LIMIT ${NAMED_MAX}`;

/** Who waits on a lock too is not named: somebody else keeps it waiting. Nor are servers of ours, which end by themselves. */
const OF_STATEMENTS = `SELECT DISTINCT a.pid, a.application_name AS program, a.usename AS role
  FROM pg_stat_activity AS w CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) AS b (pid)
    JOIN pg_stat_activity AS a ON a.pid = b.pid
  WHERE w.datname = current_database() AND ${isOurs("w")}
    AND w.wait_event_type = 'Lock' AND a.wait_event_type IS DISTINCT FROM 'Lock'
    AND ${isForeign("a")}
  ORDER BY a.pid LIMIT ${NAMED_MAX}`;

/** Who has locked what statements of this process wait for. */
export const holdersOfStatements = ({ rows }: Session): Promise<readonly Holder[]> =>
  rows<Holder>(OF_STATEMENTS);

/** Who has used tables of this database in one transaction for longer than this. */
export async function holdersOfTables(client: SQL, ms: number): Promise<readonly Holder[]> {
  const found: Holder[] = await client.unsafe(OF_TABLES, [ms]);
  return [...found];
}

export const inWords = (holders: readonly Holder[]): string => holders.map(holderInWords).join(", ");

const holderInWords = ({ pid, program, role }: Holder): string =>
  [`process ${pid}`, program && `of ${program}`, role && `as ${role}`].filter(Boolean).join(" ");
