import type { Database } from "bun:sqlite";
import { searchIndex } from "./search-index.ts";
import { trigramsOf } from "#storage/common/engine/search-text.ts";
import { present } from "#core/present.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { contacts } from "#storage/sqlite/schema/schema.ts";

/** If there are at most this many candidates, they are read one by one at each search. */
const FEW = 500;
/** Saving fewer candidates than this is not worth another trigram in the query. */
const CANDIDATES_ENOUGH = 50;
const TRIGRAMS_MAX = 24;
const TRIGRAMS_LOOKED_AT = 100;
/** The estimated share of the contacts with one trigram that also have the next one. */
const SHARE_BESIDE = 0.2;
const SAMPLE = 500;
/** A prime: with equal steps, the sample might always contain the same kind of contact. */
const SCATTER = 2_654_435_761;

/** What the index knows about a term. */
export type Candidates = {
  /** The FTS5 query for the candidates. */
  readonly match: string;
  /**
   * About how many contacts they are, in all workspaces. Candidates that do not occur in the sample count as half a
   * sampled contact.
   */
  readonly estimate: number;
  /**
   * The contacts' seqs in ascending order, if there are few; otherwise null. They include every contact that
   * matches the term.
   */
  readonly few: readonly number[] | null;
};

/**
 * The trigram index over contacts.search, and the contacts that are not in it yet (search-index.ts). FTS5
 * reads the whole list of contacts of each trigram in a query, and the lists of common trigrams are as long
 * as the table. So a query uses only the rarest, estimated from a sample, and the caller checks the matches.
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
    /** Null if `term` is too short for a trigram. `wantsFew`: whether to read `few`, which costs a query. */
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
        estimate: present(rarest[0], "trigram of a search").share * contacts,
        few: wantsFew ? fewOf(match, term) : null,
      };
    },

    /** The seq of the `n`th candidate after the contact `seq`; null if the index has fewer. */
    candidateAfter: (match: string, seq: number, n: number): number | null =>
      after.get(match, seq, n)?.seq ?? null,
  };
}

type Rare = { readonly trigram: string; readonly at: number; readonly share: number };

/**
 * Uses as many trigrams as needed to leave few candidates. Trigrams without common characters come first, because
 * each excludes different contacts.
 */
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

/** As a separate token: an index without positions (detail=none) cannot search phrases. */
const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/**
 * The share of contacts that contain a trigram, estimated from a sample of all contacts. A new sample is
 * taken once there are twice as many contacts. The estimate only affects speed.
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
    const contacts = present(newest.get(), "newest contact").seq ?? 0;
    if (contacts > 2 * sampled.contacts) sampled = sample(contacts);
    const { size, seen } = sampled;
    return {
      contacts,
      shareOf: (trigram: string) => Math.max(seen.get(trigram) ?? 0, 0.5) / Math.max(1, size),
    };
  };
}
