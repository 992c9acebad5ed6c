import { CONTACT_STATUSES, type Contact, type ContactStatus } from "#contacts/contact.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { countSql, pageSql, type ContactSet } from "./contact-page-sql.ts";
import { contactOf, type ContactRow } from "./contact-row.ts";
import { contactSearch } from "#storage/sqlite/search/contact-search.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { SearchedSet } from "#storage/sqlite/search/search-counts.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { attributeCounts } from "#storage/sqlite/schema/schema.ts";

type Values = Readonly<Record<string, string | number>>;

export type ContactPages = {
  /** A page of one set of contacts; `keys` are the values of the set's named parameters. */
  page(
    set: ContactSet,
    keys: SearchedSet,
    filter: { status: ContactStatus | null; q: string | null },
    request: PageRequest,
  ): Promise<Page<Contact>>;
};

/**
 * Pages of contacts, newest first. What they cost: `contact-page-sql.ts` and
 * `storage/sqlite/search/contact-search.ts`.
 */
export function contactPages(database: SqliteDatabase): ContactPages {
  const { sqlite } = database;
  const search = contactSearch(database);
  const anyAttribute = sqlite.query<Row<typeof attributeCounts, "name">, [number]>(
    "SELECT name FROM attribute_counts WHERE workspace = ? LIMIT 1",
  );

  return {
    async page(set, keys, { status, q }, request) {
      const { limit, before } = request;
      const statuses = status === null ? CONTACT_STATUSES : [status];
      const size = present(
        sqlite.query<{ n: number }, [Values]>(countSql(set, statuses)).get(keys),
        "count of contacts",
      ).n;
      const term = searchTermOf(q ?? "");
      const read = { position: (row: ContactRow) => row.seq, item: contactOf };
      if (term !== "") {
        const { rows, total } = await search({ set, keys, size, statuses, term }, request);
        return pageOf(rows, total, limit, read);
      }
      const values = { ...keys, rows: limit + 1, before: before ?? Number.MAX_SAFE_INTEGER };
      const withAttributes = anyAttribute.get(keys.workspace) !== null;
      const rows = sqlite.query<ContactRow, [Values]>(pageSql(set, statuses, withAttributes)).all(values);
      return pageOf(rows, size, limit, read);
    },
  };
}
