import type { Instant } from "#core/time/clock.ts";
import { HOUR_MS } from "#core/time/time.ts";

/** What says that it was made after this was made while the clock was ahead: no clock of another server is so far ahead. */
export const aheadOf = (now: Instant): Instant => now + HOUR_MS;

/** A table whose rows have numbers (`seq`) in the order in which they were made, and the column that says when. */
type Made = { readonly table: string; readonly at: string };

/**
 * SQL of both engines. Rows that were made while the clock was ahead say that they are young, for as long as
 * it was ahead, and may stand before all others. Where the first is such, this finds the first behind it
 * whose time can be right. If that was made before `before`, so were all with lower numbers: it is that
 * number, otherwise NULL. Their own times stay as they are, because they are shown.
 *
 * It is found by halves, because there may be a million, and no index is by time. The first row from `high` on is right,
 * and the one at `low` was made ahead. Where the newest looks so too, the clock may be behind now: nothing is found.
 * @param ahead times after this cannot be right
 */
export const oldBeforeSql = (
  { table, at }: Made,
  before: string,
  ahead: string,
): string => `WITH RECURSIVE halves (low, high) AS (
    SELECT oldest.seq, newest.seq FROM ${table} AS oldest, ${table} AS newest
    WHERE oldest.seq = (SELECT min(seq) FROM ${table}) AND oldest.${at} > ${ahead}
      AND newest.seq = (SELECT max(seq) FROM ${table}) AND newest.${at} <= ${ahead}
    UNION ALL
    SELECT CASE WHEN made.${at} > ${ahead} THEN made.seq ELSE low END,
      CASE WHEN made.${at} > ${ahead} THEN high ELSE (low + high) / 2 END
    FROM halves JOIN ${table} AS made ON made.seq = (SELECT min(seq) FROM ${table} WHERE seq >= (low + high) / 2)
    WHERE high - low > 1)
  SELECT seq FROM ${table}
  WHERE seq = (SELECT min(seq) FROM ${table} WHERE seq >= (SELECT min(high) FROM halves)) AND ${at} < ${before}`;
