/**
 * How the links of one message are stored in addition to those of its mailing: equal ones are stored only once.
 * Rows from 0 on are all links of the message. `NO_LINK` says that it has none, although its mailing has some. Rows
 * below that replace single links of its mailing; all others are the mailing's.
 */

/**
 * Replaces an address: a personal link's in its mailing's rows, and the links of deleted contacts (a trigger does
 * that).
 */
export const ERASED = "";

export type OwnLink = { readonly number: number; readonly url: string };

export const NO_LINK = -1;
export const inPlaceOf = (number: number): number => NO_LINK - 1 - number;

/** What is stored of a message's links: those that differ from its mailing's, or all if there are more or fewer. */
export function ownRows(shared: readonly string[], links: readonly string[]): readonly OwnLink[] {
  const rows = links.map((url, number) => ({ number, url }));
  if (links.length === shared.length)
    return rows
      .filter(({ number, url }) => url !== shared[number])
      .map(({ number, url }) => ({ number: inPlaceOf(number), url }))
      .toReversed();
  return rows.length > 0 ? rows : [{ number: NO_LINK, url: "" }];
}

/** Two arrays that were compared before are not compared again: most letters have one array for all messages. */
const alike = new WeakMap<readonly string[], readonly string[]>();

export function isSameLinks(urls: readonly string[], links: readonly string[]): boolean {
  if (alike.get(links) === urls) return true;
  if (urls.length !== links.length || urls.some((url, number) => url !== links[number])) return false;
  alike.set(links, urls);
  return true;
}

export const isSameRows = (stored: readonly OwnLink[], rows: readonly OwnLink[]): boolean =>
  stored.length === rows.length &&
  stored.every(({ number, url }, at) => number === rows[at]?.number && url === rows[at].url);

/** A mailing's links, from the first message that has some. A personal link is stored without its address. */
export const sharedLinks = (links: readonly string[], personal: readonly boolean[]): string[] =>
  links.map((url, number) => (personal[number] ? ERASED : url));
