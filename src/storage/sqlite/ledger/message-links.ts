import type { Database } from "bun:sqlite";
import { remembering } from "#core/remembered.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { OuterRow, Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, deliveryLinks, mailingLinks } from "#storage/sqlite/schema/schema.ts";

type Links = Pick<LedgerStore, "saveLinks" | "saveMessageLinks" | "link">;

/** The addresses of a mailing's numbered links, and those of a message whose template made one. */
export function messageLinks({ sqlite, writes }: SqliteDatabase): Links {
  const save = sqlite.query<null, [number, number, string]>(
    "INSERT INTO mailing_links VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const known = sqlite.query<Row<typeof mailingLinks, "url">, [number]>(
    "SELECT url FROM mailing_links WHERE mailing = ? ORDER BY number",
  );
  const own = sqlite.query<Row<typeof deliveryLinks, "number" | "url">, [number]>(
    "SELECT number, url FROM delivery_links WHERE delivery = ? ORDER BY number",
  );
  const forgetOwn = sqlite.query<null, [number]>("DELETE FROM delivery_links WHERE delivery = ?");
  // A contact that was deleted meanwhile leaves no address behind.
  const saveOwn = sqlite.query<null, [number, number, string]>(
    "INSERT INTO delivery_links SELECT seq, ?2, iif(contact IS NULL, '', ?3) FROM deliveries WHERE seq = ?1",
  );
  const ofTheirOwn = ownLinks(sqlite);
  const urlsOf = (mailing: number): readonly string[] => known.all(mailing).map(({ url }) => url);
  const sharedBy = remembering(REMEMBERED_MAX, (mailing: number) => {
    const urls = urlsOf(mailing);
    return urls.length === 0 ? null : urls;
  });

  const saveAll = (mailing: number, links: readonly string[]): void => {
    for (const [number, url] of links.entries()) save.run(mailing, number, url);
  };

  return {
    saveLinks: (mailing, links) => writes.write(() => saveAll(mailing, links)),

    saveMessageLinks(mailing, message, { urls: links, personal }) {
      const isStored = ofTheirOwn.has(message);
      const remembered = sharedBy(mailing);
      if (!isStored && isSame(remembered ?? [], links)) return undefined;
      if (isStored && isSameRows(own.all(message), ownRows(remembered ?? [], links))) return undefined;
      return writes.write(() => {
        // Another message may have saved them since. What is read here may be undone, so it is not remembered.
        const saved = remembered ?? urlsOf(mailing);
        const urls = saved.length > 0 ? saved : links.map((url, number) => (personal[number] ? ERASED : url));
        if (saved.length === 0) saveAll(mailing, urls);
        if (isStored) forgetOwn.run(message);
        const rows = ownRows(urls, links);
        if (rows.length > 0) ofTheirOwn.add(message);
        for (const { number, url } of rows) saveOwn.run(message, number, url);
      });
    },

    link: linkReader(sqlite),
  };
}

/**
 * In place of an address: of a personal link in its mailing's rows, and of those whose contact was deleted (a trigger
 * does that).
 */
const ERASED = "";

/** Finds what a link of a message leads to. */
function linkReader(sqlite: Database): Links["link"] {
  const place = sqlite.query<Row<typeof deliveries, "mailing"> & Found, [number, number, number]>(
    `SELECT mailing, (SELECT url FROM delivery_links WHERE delivery = ?1 AND number IN (?2, ?3)) AS url,
       EXISTS (SELECT 1 FROM delivery_links WHERE delivery = ?1 AND number >= ${NO_LINK}) AS hasAll
     FROM deliveries WHERE seq = ?1`,
  );
  const shared = sharedLinks(sqlite);
  return (message, number) => {
    const row = place.get(message, number, inPlaceOf(number));
    if (row === null) return null;
    const url = row.url ?? (row.hasAll === 1 ? null : shared(row.mailing, number));
    return url === ERASED ? null : url;
  };
}

/** `hasAll`: the message has all its links in rows of its own. */
type Found = OuterRow<typeof deliveryLinks, "url"> & { hasAll: number };
type OwnRow = Row<typeof deliveryLinks, "number" | "url">;

/**
 * The number of a row that says: this message has no links, although its mailing has some. Rows from 0 on are all
 * links of a message. Rows below this one stand in place of single links of its mailing, and it has the others too.
 */
const NO_LINK = -1;
const inPlaceOf = (number: number): number => NO_LINK - 1 - number;

/** What is kept of a message's links: those that differ from its mailing's, or all where there are more or fewer. */
function ownRows(shared: readonly string[], links: readonly string[]): readonly OwnRow[] {
  const rows = links.map((url, number) => ({ number, url }));
  if (links.length === shared.length)
    return rows
      .filter(({ number, url }) => url !== shared[number])
      .map(({ number, url }) => ({ number: inPlaceOf(number), url }))
      .toReversed();
  return rows.length > 0 ? rows : [{ number: NO_LINK, url: "" }];
}

/** The same two arrays as before are not compared again: most letters have one for all their messages. */
const alike = new WeakMap<readonly string[], readonly string[]>();

function isSame(urls: readonly string[], links: readonly string[]): boolean {
  if (alike.get(links) === urls) return true;
  if (urls.length !== links.length || urls.some((url, number) => url !== links[number])) return false;
  alike.set(links, urls);
  return true;
}

const isSameRows = (stored: readonly OwnRow[], rows: readonly OwnRow[]): boolean =>
  stored.length === rows.length &&
  stored.every(({ number, url }, at) => number === rows[at]?.number && url === rows[at].url);

/**
 * Which messages have links of their own. Numbers only grow, and most letters have the same links for everybody:
 * so most messages lie behind the last one that has some, and nothing is looked up.
 */
function ownLinks(sqlite: Database) {
  const latest = sqlite.query<{ number: number | null }, []>(
    "SELECT max(delivery) AS number FROM delivery_links",
  );
  const any = sqlite.query<Row<typeof deliveryLinks, "url">, [number]>(
    "SELECT url FROM delivery_links WHERE delivery = ? LIMIT 1",
  );
  let last: number | null = null;
  const lastOwn = (): number => (last ??= latest.get()?.number ?? 0);
  return {
    has: (message: number): boolean => message <= lastOwn() && any.get(message) !== null,
    /** Call it in the transaction that writes them. */
    add: (message: number): void => void (last = Math.max(lastOwn(), message)),
  };
}

/**
 * A mailing's links never change once they are saved. So those of the mailings that are clicked now are
 * cached.
 */
const REMEMBERED_MAX = 1_000;
const LINKS_REMEMBERED_MAX = 1_000;

function sharedLinks(sqlite: Database): (mailing: number, number: number) => string | null {
  const link = sqlite.query<Row<typeof mailingLinks, "url">, [number, number]>(
    "SELECT url FROM mailing_links WHERE mailing = ? AND number = ?",
  );
  const urlsOf = remembering(REMEMBERED_MAX, (mailing: number) =>
    remembering(LINKS_REMEMBERED_MAX, (number: number) => link.get(mailing, number)?.url ?? null),
  );
  return (mailing, number) => urlsOf(mailing)?.(number) ?? null;
}
