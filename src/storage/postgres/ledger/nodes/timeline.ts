/**
 * The timeline of the server that answers, in SQL. It is in the server's memory, so each round can check it.
 * Otherwise, after a standby takes over without the newest commits, some messages are sent again before the next
 * beat notices it.
 */
export const TIMELINE = "left(pg_walfile_name(pg_current_wal_lsn()), 8)";
