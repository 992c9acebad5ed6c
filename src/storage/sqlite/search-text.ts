import { fold } from "#core/fold.ts";

/** More would not make the candidates fewer: every hit is verified against the whole text anyway. */
const TRIGRAMS_MAX = 24;

/**
 * What `q` is looked for in: each field folded, a line each. Line breaks inside a field become carriage returns, here and
 * in the query, so that a hit never spans two fields.
 */
export function searchTextOf(...fields: string[]): string {
  return fields.map(searchTermOf).join("\n");
}

/** `q` in the form in which it is looked for. Empty: it does not filter. */
export function searchTermOf(text: string): string {
  return fold(text).replaceAll("\n", "\r");
}

/**
 * The FTS5 query for texts that may contain `term`, or null where it is too short to have a trigram. Each trigram is a
 * quoted token of its own, for an index without positions (detail=none) knows no phrases.
 */
export function trigramQuery(term: string): string | null {
  const characters = Array.from(term);
  const trigrams = new Set<string>();
  for (let i = 0; i + 3 <= characters.length && trigrams.size < TRIGRAMS_MAX; i++) {
    trigrams.add(
      `"${characters
        .slice(i, i + 3)
        .join("")
        .replaceAll('"', '""')}"`,
    );
  }
  return trigrams.size === 0 ? null : [...trigrams].join(" AND ");
}
