import { DAY_MS } from "#core/time/time.ts";

/** How long entries of the audit log are kept. */
export const AUDIT_KEPT_MS = 365 * DAY_MS;

/**
 * SQL of both engines. Entries have numbers in the order in which they were made. Those that were made while the clock was
 * ahead say that they are young, for as long as it was ahead, and may stand before all others. Where the first is such, this
 * finds the first behind it whose time can be right. If that was made before `before`, so were all with lower numbers: it is
 * that number, otherwise NULL.
 *
 * It is found by halves, because there may be a million, and no index is by time. The first entry from `high` on is right,
 * and the one at `low` was made ahead. Where the newest looks so too, the clock may be behind now: nothing is found.
 * @param ahead times after this cannot be right
 */
export const oldBeforeSql = (before: string, ahead: string): string => `WITH RECURSIVE halves (low, high) AS (
    SELECT oldest.seq, newest.seq FROM audit AS oldest, audit AS newest
    WHERE oldest.seq = (SELECT min(seq) FROM audit) AND oldest.at > ${ahead}
      AND newest.seq = (SELECT max(seq) FROM audit) AND newest.at <= ${ahead}
    UNION ALL
    SELECT CASE WHEN made.at > ${ahead} THEN made.seq ELSE low END,
      CASE WHEN made.at > ${ahead} THEN high ELSE (low + high) / 2 END
    FROM halves JOIN audit AS made ON made.seq = (SELECT min(seq) FROM audit WHERE seq >= (low + high) / 2)
    WHERE high - low > 1)
  SELECT seq FROM audit
  WHERE seq = (SELECT min(seq) FROM audit WHERE seq >= (SELECT min(high) FROM halves)) AND at < ${before}`;
