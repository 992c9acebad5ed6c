import { CONTACT_STATUSES, type Contact, type ContactStatus } from "#contacts/contact.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import type { Session, Value } from "#storage/postgres/engine/session.ts";
import { patternOf } from "#storage/postgres/search/contains.ts";
import { CONTACT_COLUMNS, CONTACTS, contactOf, type ContactRow } from "./contact-row.ts";

/** A set of contacts that an index has in creation order per status (alias `r`), and that is counted by status. */
export type ContactSet = {
  readonly walked: string;
  /** The column that holds contacts.seq. */
  readonly seq: string;
  /** The condition on the set's keys, whose values are `$1` and `$2`. */
  readonly keys: string;
  /** Whether the contact `c` is in the set. */
  readonly holds: string;
  readonly counts: string;
  readonly values: readonly [number, string | null];
};

export const ofWorkspace = (workspace: number): ContactSet => ({
  walked: "contacts AS r",
  seq: "r.seq",
  keys: "r.workspace = $1 AND $2::text IS NULL",
  holds: "c.workspace = $1 AND $2::text IS NULL",
  counts: "contact_counts WHERE workspace = $1 AND tag = coalesce($2::text, '')",
  values: [workspace, null],
});

export const ofTag = (workspace: number, tag: string): ContactSet => ({
  walked: "contact_tags AS r",
  seq: "r.contact",
  keys: "r.workspace = $1 AND r.tag = $2::text",
  holds: `EXISTS (SELECT FROM contact_tags AS r
    WHERE r.workspace = $1 AND r.tag = $2::text AND r.status = c.status AND r.contact = c.seq)`,
  counts: "contact_counts WHERE workspace = $1 AND tag = $2::text",
  values: [workspace, tag],
});

export const ofList = (list: number): ContactSet => ({
  walked: "list_members AS r",
  seq: "r.contact",
  keys: "r.list = $1 AND $2::text IS NULL",
  holds:
    "$2::text IS NULL AND EXISTS (SELECT FROM list_members AS r WHERE r.list = $1 AND r.contact = c.seq)",
  counts: "list_counts WHERE list = $1 AND $2::text IS NULL",
  values: [list, null],
});

type Statuses = readonly ContactStatus[];

/** How many contacts the set has with these statuses. */
const countSql = (set: ContactSet, statuses: Statuses): string =>
  `SELECT coalesce(sum(n), 0)::int8 AS total FROM ${set.counts} AND status IN (${listed(statuses)})`;

const listed = (statuses: Statuses): string => statuses.map((status) => `'${status}'`).join(", ");

/**
 * The newest before `$3`. Each status is one range of the index. This merges their newest contacts, at the same
 * cost for any number of contacts.
 */
function newestSql(set: ContactSet, statuses: Statuses, limit: number): string {
  const ranges = statuses.map(
    (status) => `(SELECT ${set.seq} AS seq FROM ${set.walked}
      WHERE ${set.keys} AND r.status = '${status}' AND ${set.seq} < $3 ORDER BY ${set.seq} DESC LIMIT ${limit})`,
  );
  return `SELECT seq FROM (${ranges.join(" UNION ALL ")}) AS ranges ORDER BY seq DESC LIMIT ${limit}`;
}

/**
 * A page and the total, as one statement. Planning it takes longer than running it. So the number of rows and the
 * statuses are part of its text: then it costs the same for all values, and PostgreSQL plans it once per connection.
 */
const pageSql = (set: ContactSet, statuses: Statuses, limit: number): string =>
  `SELECT counted.total, ${CONTACT_COLUMNS} FROM (${countSql(set, statuses)}) AS counted
    LEFT JOIN ((${newestSql(set, statuses, limit)}) AS newest JOIN contacts AS c USING (seq)
      LEFT JOIN contact_attributes AS a ON a.contact = c.seq) ON true ORDER BY c.seq DESC`;

const FOUND = "c.status = ANY($3::text[]) AND c.search LIKE $4";

const searchSql = (set: ContactSet): string =>
  `${CONTACTS} WHERE ${set.holds} AND ${FOUND} AND c.seq < $5 ORDER BY c.seq DESC LIMIT $6`;

/** The trigrams of the search texts answer this if the text has three characters or more. */
const foundSql = (set: ContactSet): string =>
  `SELECT count(*) AS n FROM contacts AS c WHERE ${set.holds} AND ${FOUND}`;

const READ = { position: ({ seq }: ContactRow) => seq, item: contactOf };

/** A page of a set of contacts, newest first. Without `q` its cost does not depend on the number of contacts. */
export async function contactPage(
  session: Session,
  set: ContactSet,
  { status, q }: { readonly status: ContactStatus | null; readonly q: string | null },
  { limit, before }: PageRequest,
): Promise<Page<Contact>> {
  const statuses = status === null ? CONTACT_STATUSES : [status];
  const term = searchTermOf(q ?? "");
  // No stored text has NUL, and PostgreSQL does not accept it in a text.
  if (term.includes("\0")) return pageOf([], 0, limit, READ);
  const start = before ?? Number.MAX_SAFE_INTEGER;
  if (term === "")
    return await newest(session, pageSql(set, statuses, limit + 1), [...set.values, start], limit);
  const found = [...set.values, statuses, patternOf(term)];
  const [rows, counted] = await Promise.all([
    session.rows<ContactRow>(searchSql(set), [...found, start, limit + 1]),
    session.row<{ n: number }>(foundSql(set), found),
  ]);
  return pageOf(rows, present(counted, "count of contacts").n, limit, READ);
}

type NewestRow = { readonly total: number } & (ContactRow | { readonly seq: null });

async function newest(
  session: Session,
  statement: string,
  values: readonly Value[],
  limit: number,
): Promise<Page<Contact>> {
  const found = await session.rows<NewestRow>(statement, values);
  const rows = found.flatMap(({ total: _total, ...row }) => (row.seq === null ? [] : row));
  return pageOf(rows, present(found[0], "count of contacts").total, limit, READ);
}
