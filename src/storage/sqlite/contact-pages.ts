import type { Database } from "bun:sqlite";
import { CONTACT_STATUSES, type Contact, type ContactStatus } from "#contacts/contact.ts";
import { pageOf, type Page, type PageRequest } from "#core/page.ts";
import {
  countContainingSql,
  countSql,
  pageSql,
  searchCountSql,
  searchPageSql,
  type ContactSet,
} from "./contact-page-sql.ts";
import { contactOf, type ContactRow } from "./contact-row.ts";
import { searchTermOf, trigramQuery } from "./search-text.ts";

/**
 * Sets up to this size are read through for `q`. That bounds what a small list pays in a large database, where the
 * trigram index, which is everybody's, would offer it candidates from everywhere.
 */
const READ_THROUGH_MAX = 5000;

type Keys = Readonly<Record<string, string | number>>;
type Looked = { readonly statuses: readonly ContactStatus[]; readonly term: string };

export type ContactPages = {
  /** A page of one set of contacts; `keys` are the values of the set's named parameters. */
  page(
    set: ContactSet,
    keys: Keys,
    filter: { status: ContactStatus | null; q: string | null },
    request: PageRequest,
  ): Page<Contact>;
};

/** Pages of contacts, newest first; see `contact-page-sql.ts` for what they cost. */
export function contactPages(sqlite: Database): ContactPages {
  const count = (sql: string, values: Keys): number =>
    sqlite.query<{ n: number }, [Keys]>(sql).get(values)!.n;

  const cut = (sql: string, values: Keys, total: number, { limit, before }: PageRequest): Page<Contact> => {
    const asked = { ...values, rows: limit + 1, before: before ?? Number.MAX_SAFE_INTEGER };
    const rows = sqlite.query<ContactRow, [Keys]>(sql).all(asked);
    return pageOf(rows, total, limit, { position: (row) => row.seq, item: contactOf });
  };

  const readThrough = (
    set: ContactSet,
    keys: Keys,
    { statuses, term }: Looked,
    request: PageRequest,
  ): Page<Contact> => {
    const values = { ...keys, term };
    return cut(
      pageSql(set, statuses, true),
      values,
      count(countContainingSql(set, statuses), values),
      request,
    );
  };

  return {
    page(set, keys, { status, q }, request) {
      const statuses = status === null ? CONTACT_STATUSES : [status];
      const total = count(countSql(set, statuses), keys);
      const term = searchTermOf(q ?? "");
      if (term === "") return cut(pageSql(set, statuses, false), keys, total, request);
      const match = trigramQuery(term);
      if (match === null || total <= READ_THROUGH_MAX)
        return readThrough(set, keys, { statuses, term }, request);
      const values = { ...keys, term, match };
      return cut(searchPageSql(set, statuses), values, count(searchCountSql(set, statuses), values), request);
    },
  };
}
