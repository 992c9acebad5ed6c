/**
 * The SQL of contact lists. No index holds a whole list in creation order: each holds a range per status. So a page is
 * the merge of the newest rows of every status asked for, and costs the same whatever the number of contacts.
 */
import type { ContactStatus } from "#contacts/contact.ts";
import { CONTACT_COLUMNS } from "./contact-row.ts";

/** A set of contacts that is kept in creation order per status (alias `r`), and counted by status. */
export type ContactSet = {
  /** With the index to walk; the others are walked by their primary key. */
  readonly walked: string;
  readonly table: string;
  /** The column that holds contacts.seq. */
  readonly seq: string;
  readonly keys: string;
  readonly counts: string;
};

export const OF_WORKSPACE: ContactSet = {
  walked: "contacts AS r INDEXED BY contacts_by_status",
  table: "contacts AS r",
  seq: "r.seq",
  keys: "r.workspace = $workspace",
  counts: "contact_counts WHERE workspace = $workspace AND tag = ''",
};

export const OF_TAG: ContactSet = {
  walked: "contact_tags AS r",
  table: "contact_tags AS r",
  seq: "r.contact",
  keys: "r.workspace = $workspace AND r.tag = $tag",
  counts: "contact_counts WHERE workspace = $workspace AND tag = $tag",
};

export const OF_LIST: ContactSet = {
  walked: "list_members AS r",
  table: "list_members AS r",
  seq: "r.contact",
  keys: "r.list = $list",
  counts: "list_counts WHERE list = $list",
};

type Statuses = readonly ContactStatus[];

const among = (statuses: Statuses): string => `(${statuses.map((status) => `'${status}'`).join(", ")})`;

/** How many contacts the set has with these statuses. */
export const countSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT coalesce(sum(n), 0) AS n FROM ${set.counts} AND status IN ${among(statuses)}`;

/** The newest `$rows` before `$before`; with `containing`, of those whose search text has `$term`. */
export function pageSql(set: ContactSet, statuses: Statuses, containing: boolean): string {
  const verified = containing ? `CROSS JOIN contacts AS c ON c.seq = ${set.seq}` : "";
  const ranges = statuses.map(
    (status) => `SELECT seq FROM (
      SELECT ${set.seq} AS seq FROM ${set.walked} ${verified}
      WHERE ${set.keys} AND r.status = '${status}' AND ${set.seq} < $before ${containing ? CONTAINS_TERM : ""}
      ORDER BY ${set.seq} DESC LIMIT $rows)`,
  );
  return `SELECT ${CONTACT_COLUMNS} FROM (${ranges.join(" UNION ALL ")} ORDER BY seq DESC LIMIT $rows) AS newest
    CROSS JOIN contacts AS c ON c.seq = newest.seq ORDER BY newest.seq DESC`;
}

/** How many have `$term` in their search text, by reading all of them. */
export const countContainingSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT count(*) AS n FROM ${set.walked} CROSS JOIN contacts AS c ON c.seq = ${set.seq}
   WHERE ${set.keys} AND r.status IN ${among(statuses)} ${CONTAINS_TERM}`;

/** The same page and count, but from the trigram index: `$match` finds candidates, `$term` is then looked for in each. */
export const searchPageSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT ${CONTACT_COLUMNS} ${searchedSql(set, statuses)} AND s.rowid < $before ORDER BY s.rowid DESC LIMIT $rows`;

export const searchCountSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT count(*) AS n ${searchedSql(set, statuses)}`;

const searchedSql = (set: ContactSet, statuses: Statuses): string =>
  `FROM contact_search AS s CROSS JOIN contacts AS c ON c.seq = s.rowid
   WHERE s.contact_search MATCH $match AND c.status IN ${among(statuses)} ${CONTAINS_TERM}
   AND EXISTS (SELECT 1 FROM ${set.table} WHERE ${set.keys} AND r.status = c.status AND ${set.seq} = c.seq)`;

const CONTAINS_TERM = "AND instr(c.search, $term) > 0";
