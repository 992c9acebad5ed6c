import type { Database } from "bun:sqlite";
import { searchIndex } from "./search-index.ts";
import { trigramsOf } from "./search-text.ts";
import { required } from "#storage/sqlite/engine/required.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

/** Candidates this few are looked at one by one, each time they are asked for. */
const FEW = 500;
/** So many candidates more or less are not worth another trigram to the query. */
const CANDIDATES_ENOUGH = 50;
const TRIGRAMS_MAX = 24;
const TRIGRAMS_LOOKED_AT = 100;
/** How many of those who have a trigram may have the next one in the term too. */
const SHARE_BESIDE = 0.2;
const SAMPLE = 500;
/** A prime: equal steps could meet always the same kind of contact. */
const SCATTER = 2_654_435_761;

/** What the index has for a term. */
export type Candidates = {
  /** The FTS5 query for them. */
  readonly match: string;
  /** About how many contacts they are, of all workspaces; what is not seen in a sample counts as half a contact of it. */
  readonly estimate: number;
  /** The contacts' seqs where there are few, in ascending order; else null. All that have the term are among them. */
  readonly few: readonly number[] | null;
};

/**
 * The trigram index over contacts.search, and those it does not have yet (search-index.ts). FTS5 reads the list of contacts of each
 * trigram it is asked for, and the common ones are as long as the table: so it is asked for the rarest only, as far as a sample tells,
 * and hits are verified by the caller.
 */
export function trigramIndex(sqlite: Database) {
  const rarity = trigramRarity(sqlite);
  const candidates = sqlite.query<Row<typeof contacts, "seq">, [string, number]>(
    "SELECT rowid AS seq FROM contact_search WHERE contact_search MATCH ? ORDER BY rowid LIMIT ?",
  );
  const index = searchIndex(sqlite);
  const notIndexed = sqlite.query<Row<typeof contacts, "seq">, [number, string, number]>(
    "SELECT seq FROM contacts WHERE seq > ? AND instr(search, ?) > 0 ORDER BY seq LIMIT ?",
  );
  const after = sqlite.query<Row<typeof contacts, "seq">, [string, number, number]>(
    "SELECT rowid AS seq FROM contact_search WHERE contact_search MATCH ? AND rowid > ? ORDER BY rowid LIMIT 1 OFFSET ? - 1",
  );

  const fewOf = (match: string, term: string): number[] | null => {
    const found = candidates.all(match, FEW + 1);
    if (found.length <= FEW) found.push(...notIndexed.all(index.through, term, FEW + 1 - found.length));
    return found.length > FEW ? null : found.map(({ seq }) => seq);
  };

  return {
    /** Null where `term` is too short to have a trigram. `wantsFew`: whether `few` is looked for; it costs a query. */
    candidates(term: string, wantsFew: boolean): Candidates | null {
      const trigrams = trigramsOf(term);
      if (trigrams.length === 0) return null;
      const { contacts, shareOf } = rarity();
      const rarest = trigrams
        .map((trigram, at) => ({ trigram, at, share: shareOf(trigram) }))
        .toSorted((a, b) => a.share - b.share)
        .slice(0, TRIGRAMS_LOOKED_AT);
      const match = matchOf(rarest, contacts);
      return {
        match,
        estimate: required(rarest[0]).share * contacts,
        few: wantsFew ? fewOf(match, term) : null,
      };
    },

    /** The seq of the `n`th candidate after the contact `seq`; null where the index knows fewer. */
    candidateAfter: (match: string, seq: number, n: number): number | null =>
      after.get(match, seq, n)?.seq ?? null,
  };
}

type Rare = { readonly trigram: string; readonly at: number; readonly share: number };

/** As many of them as it takes to leave few candidates, first those that share no character: each says something new. */
function matchOf(rarest: readonly Rare[], contacts: number): string {
  const apart: Rare[] = [];
  for (const each of rarest) if (apart.every(({ at }) => Math.abs(at - each.at) >= 3)) apart.push(each);
  const others = rarest
    .filter((each) => !apart.includes(each))
    .map((each) => ({ ...each, share: SHARE_BESIDE }));
  let expected = contacts;
  const asked: string[] = [];
  for (const { trigram, share } of [...apart, ...others].slice(0, TRIGRAMS_MAX)) {
    asked.push(quoted(trigram));
    expected *= share;
    if (expected <= CANDIDATES_ENOUGH) break;
  }
  return asked.join(" AND ");
}

/** A token of its own: an index without positions (detail=none) knows no phrases. */
const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/**
 * In what share of the contacts a trigram stands, by a sample from among all of them. It is taken again once there are twice as many;
 * what it says decides about speed only.
 */
function trigramRarity(sqlite: Database) {
  const newest = sqlite.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM contacts");
  const texts = sqlite.query<Row<typeof contacts, "search">, [string]>(
    "SELECT c.search FROM json_each(?) CROSS JOIN contacts AS c ON c.seq = json_each.value",
  );
  let sampled = { contacts: 0, size: 0, seen: new Map<string, number>() };

  const sample = (contacts: number): typeof sampled => {
    const wanted = Array.from({ length: SAMPLE }, (_, n) => 1 + ((n * SCATTER) % contacts));
    const seen = new Map<string, number>();
    const rows = texts.all(JSON.stringify(wanted));
    for (const { search } of rows)
      for (const trigram of trigramsOf(search)) seen.set(trigram, (seen.get(trigram) ?? 0) + 1);
    return { contacts, size: rows.length, seen };
  };

  return () => {
    const contacts = required(newest.get()).seq ?? 0;
    if (contacts > 2 * sampled.contacts) sampled = sample(contacts);
    const { size, seen } = sampled;
    return {
      contacts,
      shareOf: (trigram: string) => Math.max(seen.get(trigram) ?? 0, 0.5) / Math.max(1, size),
    };
  };
}
