/**
 * The timeline of the server that answers, in SQL. It is in the server's memory, so a round can ask for it: a standby
 * that takes over without the newest commits would have some messages sent again before the next beat notices it.
 */
export const TIMELINE = "left(pg_walfile_name(pg_current_wal_lsn()), 8)";
