import { fold } from "#core/text/fold.ts";

/** A tag, and how many contacts have it. */
export type TagUse = { readonly tag: string; readonly contacts: number };

/** So many are answered: more is nothing to choose from. */
export const TAGS_SHOWN = 100;

/**
 * So many tags are looked at. Contacts have any number of them: some programs make one for each order. Nobody waits for
 * a walk through all.
 */
export const TAGS_LOOKED_AT = 5_000;

/** Those with this text in them, whatever its case; the most used first. */
export function chooseTags(uses: readonly TagUse[], q: string): TagUse[] {
  const wanted = fold(q);
  const fitting = new Map(uses.filter(({ tag }) => fold(tag).includes(wanted)).map((use) => [use.tag, use]));
  return [...fitting.values()].toSorted((a, b) => b.contacts - a.contacts).slice(0, TAGS_SHOWN);
}
