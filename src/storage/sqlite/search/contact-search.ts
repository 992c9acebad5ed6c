import { CONTACT_STATUSES } from "#contacts/contact.ts";
import type { PageRequest } from "#core/request/page.ts";
import {
  ceilingSql,
  foundSql,
  OF_WORKSPACE,
  readThroughCountSql,
  searchCountSql,
  SEQUENTIAL_COUNT_SQL,
} from "#storage/sqlite/contacts/contact-page-sql.ts";
import { CONTACT_COLUMNS, type ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import { contactWalk, type Search } from "#storage/sqlite/contacts/contact-walk.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { ALL, searchCounts, sumOf, type CountByStatus, type CountSource } from "./search-counts.ts";
import { searchIndex } from "./search-index.ts";
import { trigramIndex, type Candidates } from "./trigram-index.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

/** Sets up to this size are read completely at each search. */
const READ_THROUGH_MAX = 1000;
/** How many rows are counted before others get their turn: some milliseconds. */
const COUNTED_ROWS = 32_768;
const COUNTED_CANDIDATES = 1000;
/** Reading a contact found by its trigrams costs about this many times as much as reading it in a scan. */
const CANDIDATE_COST = 60;

type Values = Readonly<Record<string, string | number>>;

/** At most `limit + 1` rows, newest first, and the exact total. */
export type Found = { readonly rows: ContactRow[]; readonly total: number };

/**
 * Contacts whose search text contains a term. When there are few candidates, each is checked every time. When
 * there are many, the total is counted once, in slices, and then kept (`search-counts.ts`). The first person
 * who searches for such a term waits for the count; nobody else waits.
 */
export function contactSearch(database: SqliteDatabase) {
  const { sqlite } = database;
  const counts = searchCounts(database);
  const index = trigramIndex(sqlite);
  const walk = contactWalk(sqlite);
  const verified = verifier(database);
  const sourceOf = countSources(database, index.candidateAfter);
  const countOf = (sql: string, values: Values): CountByStatus =>
    present(sqlite.query<CountByStatus, [Values]>(sql).get(values), "count by status");

  return async (search: Search, request: PageRequest): Promise<Found> => {
    const { set, keys, size, statuses, term } = search;
    const totalOf = (count: CountByStatus): number =>
      statuses.reduce((sum, status) => sum + count[status], 0);
    if (size <= READ_THROUGH_MAX) {
      const whole = { ...keys, term, after: 0, through: ALL };
      const total = totalOf(countOf(readThroughCountSql(set, statuses), whole));
      return { rows: total === 0 ? [] : await walk(search, null, request), total };
    }
    const stored = counts.find(keys, term, (after) =>
      countOf(readThroughCountSql(set, CONTACT_STATUSES), { ...keys, term, after, through: ALL }),
    );
    const candidates = index.candidates(term, stored === null);
    if (candidates !== null && candidates.few !== null) return verified(search, candidates.few, request);
    const total = totalOf(stored ?? (await counts.count(keys, term, sourceOf(search, candidates))));
    return { rows: total === 0 ? [] : await walk(search, candidates?.match ?? null, request), total };
  };
}

function verifier({ sqlite }: SqliteDatabase) {
  const bySeq = sqlite.query<ContactRow, [string]>(
    `SELECT ${CONTACT_COLUMNS} FROM json_each(?) CROSS JOIN contacts AS c ON c.seq = json_each.value`,
  );
  return ({ set, keys, statuses, term }: Search, few: readonly number[], request: PageRequest): Found => {
    const candidates = JSON.stringify(few.toReversed());
    const found = sqlite.query<Row<typeof contacts, "seq">, [Values]>(foundSql(set, statuses));
    const seqs = found.all({ ...keys, term, candidates }).map(({ seq }) => seq);
    const before = request.before ?? Infinity;
    const shown = seqs.filter((seq) => seq < before).slice(0, request.limit + 1);
    return { rows: bySeq.all(JSON.stringify(shown)), total: seqs.length };
  };
}

type CandidateAfter = ReturnType<typeof trigramIndex>["candidateAfter"];

/**
 * The fastest way to count a term: by its candidates if they are few, otherwise by reading the set, in the order of
 * the file if possible.
 */
function countSources({ sqlite }: SqliteDatabase, candidateAfter: CandidateAfter) {
  const index = searchIndex(sqlite);

  return ({ set, keys, size, term }: Search, candidates: Candidates | null): CountSource => {
    const counting = (sql: string, more: Values = {}): CountSource["count"] => {
      const slice = sqlite.query<CountByStatus, [Values]>(sql);
      return (after, through) =>
        present(slice.get({ ...keys, term, ...more, after, through }), "slice of contacts");
    };
    const readThrough = counting(readThroughCountSql(set, CONTACT_STATUSES));
    if (candidates !== null && candidates.estimate * CANDIDATE_COST <= size) {
      const { match } = candidates;
      const indexed = counting(searchCountSql(set), { match });
      return {
        sliceEnd: (after) => candidateAfter(match, after, COUNTED_CANDIDATES),
        count: (after, through) =>
          sumOf(indexed(after, through), readThrough(Math.max(after, index.through), through)),
      };
    }
    const last = index.newest;
    if (set === OF_WORKSPACE && size > last / 4)
      return {
        sliceEnd: (after) => (after + COUNTED_ROWS < last ? after + COUNTED_ROWS : null),
        count: counting(SEQUENTIAL_COUNT_SQL),
      };
    const ceilings = sqlite.query<{ seq: number | null }, [Values]>(ceilingSql(set));
    return {
      sliceEnd: (after) =>
        present(ceilings.get({ ...keys, after, rows: COUNTED_ROWS }), "end of a slice").seq,
      count: readThrough,
    };
  };
}
