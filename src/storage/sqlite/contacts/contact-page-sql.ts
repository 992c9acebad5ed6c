/**
 * The SQL of contact lists. No index has a whole list in creation order: each has one range per status. So a page
 * merges the newest rows of every requested status, and costs the same for any number of contacts.
 */
import { CONTACT_STATUSES, type ContactStatus } from "#contacts/contact.ts";
import { CONTACT_COLUMNS, PLAIN_CONTACT_COLUMNS } from "./contact-row.ts";

/** A set of contacts that an index has in creation order per status (alias `r`), and that is counted by status. */
export type ContactSet = {
  /** The table with the index to walk; other reads use the primary key. */
  readonly walked: string;
  /** The column that holds contacts.seq. */
  readonly seq: string;
  readonly keys: string;
  /** Whether the contact `c` is in the set. */
  readonly holds: string;
  readonly counts: string;
};

export const OF_WORKSPACE: ContactSet = {
  walked: "contacts AS r INDEXED BY contacts_by_status",
  seq: "r.seq",
  keys: "r.workspace = $workspace",
  holds: "c.workspace = $workspace",
  counts: "contact_counts WHERE workspace = $workspace AND tag = ''",
};

export const OF_TAG: ContactSet = {
  walked: "contact_tags AS r",
  seq: "r.contact",
  keys: "r.workspace = $workspace AND r.tag = $tag",
  holds: `EXISTS (SELECT 1 FROM contact_tags AS r
    WHERE r.workspace = $workspace AND r.tag = $tag AND r.status = c.status AND r.contact = c.seq)`,
  counts: "contact_counts WHERE workspace = $workspace AND tag = $tag",
};

export const OF_LIST: ContactSet = {
  walked: "list_members AS r",
  seq: "r.contact",
  keys: "r.list = $list",
  holds:
    "EXISTS (SELECT 1 FROM list_members AS r WHERE r.list = $list AND r.status = c.status AND r.contact = c.seq)",
  counts: "list_counts WHERE list = $list",
};

const CONTAINS_TERM = "AND instr(c.search, $term) > 0";

type Statuses = readonly ContactStatus[];

const among = (statuses: Statuses): string => `(${statuses.map((status) => `'${status}'`).join(", ")})`;

/** How many contacts the set has with these statuses. */
export const countSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT coalesce(sum(n), 0) AS n FROM ${set.counts} AND status IN ${among(statuses)}`;

/** The newest `$rows` before `$before`. */
export const pageSql = (set: ContactSet, statuses: Statuses, withAttributes: boolean): string =>
  newestSql(set, statuses, "", "", withAttributes ? CONTACT_COLUMNS : PLAIN_CONTACT_COLUMNS);

/** The same for contacts whose search text has `$term`, not below `$floor`. */
export const walkSql = (set: ContactSet, statuses: Statuses): string =>
  newestSql(
    set,
    statuses,
    `CROSS JOIN contacts AS c ON c.seq = ${set.seq}`,
    `AND ${set.seq} >= $floor ${CONTAINS_TERM}`,
  );

function newestSql(
  set: ContactSet,
  statuses: Statuses,
  join: string,
  only: string,
  columns = CONTACT_COLUMNS,
): string {
  const ranges = statuses.map(
    (status) => `SELECT seq FROM (
      SELECT ${set.seq} AS seq FROM ${set.walked} ${join}
      WHERE ${set.keys} AND r.status = '${status}' AND ${set.seq} < $before ${only}
      ORDER BY ${set.seq} DESC LIMIT $rows)`,
  );
  return `SELECT ${columns} FROM (${ranges.join(" UNION ALL ")} ORDER BY seq DESC LIMIT $rows) AS newest
    CROSS JOIN contacts AS c ON c.seq = newest.seq ORDER BY newest.seq DESC`;
}

/** The lowest position for which reading from `$before` down takes at most `$rows` of each status; null: the end. */
export const floorSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT max(seq) AS seq FROM (${rowsAwaySql(set, statuses, `< $before ORDER BY ${set.seq} DESC`)})`;

/** The same upwards from `$after`, for any status. */
export const ceilingSql = (set: ContactSet): string =>
  `SELECT min(seq) AS seq FROM (${rowsAwaySql(set, CONTACT_STATUSES, `> $after ORDER BY ${set.seq}`)})`;

const rowsAwaySql = (set: ContactSet, statuses: Statuses, way: string): string =>
  statuses
    .map(
      (status) => `SELECT seq FROM (SELECT ${set.seq} AS seq FROM ${set.walked}
        WHERE ${set.keys} AND r.status = '${status}' AND ${set.seq} ${way} LIMIT 1 OFFSET $rows - 1)`,
    )
    .join(" UNION ALL ");

const byStatus = (sqlOf: (status: ContactStatus) => string): string =>
  CONTACT_STATUSES.map((status) => `(${sqlOf(status)}) AS ${status}`).join(", ");

/**
 * Counts the contacts with `$term` in their search text, by status, after `$after` and up to `$through`. Reads all
 * of them.
 */
export const readThroughCountSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT ${byStatus((status) =>
    statuses.includes(status)
      ? `SELECT count(*) FROM ${set.walked} CROSS JOIN contacts AS c ON c.seq = ${set.seq}
         WHERE ${set.keys} AND r.status = '${status}' AND ${set.seq} > $after AND ${set.seq} <= $through ${CONTAINS_TERM}`
      : "0",
  )}`;

/** The same for a workspace that has most of the contacts: then reading the table in its own order is fastest. */
export const SEQUENTIAL_COUNT_SQL = `SELECT ${byStatus((status) => `coalesce(sum(c.status = '${status}'), 0)`)}
   FROM contacts AS c NOT INDEXED
   WHERE c.workspace = $workspace AND c.seq > $after AND c.seq <= $through ${CONTAINS_TERM}`;

/**
 * The same with the trigram index, for the contacts in it: `$match` finds candidates, and each is checked for
 * `$term`.
 */
export const searchCountSql = (set: ContactSet): string =>
  `SELECT ${byStatus((status) => `coalesce(sum(c.status = '${status}'), 0)`)}
   FROM contact_search AS s CROSS JOIN contacts AS c ON c.seq = s.rowid
   WHERE s.contact_search MATCH $match AND s.rowid > $after AND s.rowid <= $through AND ${set.holds} ${CONTAINS_TERM}`;

/** The newest `$rows` before `$before` among the contacts in the trigram index. */
export const searchPageSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT ${CONTACT_COLUMNS} FROM contact_search AS s CROSS JOIN contacts AS c ON c.seq = s.rowid
   WHERE s.contact_search MATCH $match AND c.status IN ${among(statuses)} AND ${set.holds} ${CONTAINS_TERM}
   AND s.rowid < $before ORDER BY s.rowid DESC LIMIT $rows`;

/**
 * Those of the contacts in the JSON array `$candidates` (seqs) that are in the set and have `$term`, in the same
 * order.
 */
export const foundSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT c.seq FROM json_each($candidates) CROSS JOIN contacts AS c ON c.seq = json_each.value
   WHERE c.status IN ${among(statuses)} AND ${set.holds} ${CONTAINS_TERM}`;
