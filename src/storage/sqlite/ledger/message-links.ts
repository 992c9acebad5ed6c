import type { Database } from "bun:sqlite";
import { remembering } from "#core/remembered.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import {
  ERASED,
  inPlaceOf,
  isSameLinks,
  isSameRows,
  NO_LINK,
  ownRows,
  sharedLinks,
} from "#storage/common/ledger/own-links.ts";
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
  // If the contact was deleted meanwhile, no address is stored.
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
      if (!isStored && isSameLinks(remembered ?? [], links)) return undefined;
      if (isStored && isSameRows(own.all(message), ownRows(remembered ?? [], links))) return undefined;
      return writes.write(() => {
        // Another message may have saved them since, or this message was composed twice at once. What is read here
        // may be undone, so it is not cached.
        const saved = remembered ?? urlsOf(mailing);
        const urls = saved.length > 0 ? saved : sharedLinks(links, personal);
        if (saved.length === 0) saveAll(mailing, urls);
        if (ofTheirOwn.has(message)) forgetOwn.run(message);
        const rows = ownRows(urls, links);
        if (rows.length > 0) ofTheirOwn.add(message);
        for (const { number, url } of rows) saveOwn.run(message, number, url);
      });
    },

    link: linkReader(sqlite),
  };
}

/** Finds where a link of a message leads. */
function linkReader(sqlite: Database): Links["link"] {
  const place = sqlite.query<Row<typeof deliveries, "mailing"> & Found, [number, number, number]>(
    `SELECT mailing, (SELECT url FROM delivery_links WHERE delivery = ?1 AND number IN (?2, ?3)) AS url,
       EXISTS (SELECT 1 FROM delivery_links WHERE delivery = ?1 AND number >= ${NO_LINK}) AS hasAll
     FROM deliveries WHERE seq = ?1`,
  );
  const shared = linksOfMailings(sqlite);
  return (message, number) => {
    const row = place.get(message, number, inPlaceOf(number));
    if (row === null) return null;
    const url = row.url ?? (row.hasAll === 1 ? null : shared(row.mailing, number));
    return url === ERASED ? null : url;
  };
}

/** `hasAll`: the message has all its links in rows of its own. */
type Found = OuterRow<typeof deliveryLinks, "url"> & { hasAll: number };
/**
 * Which messages have links of their own. Numbers only grow, and most letters have the same links for everybody. So
 * most messages come after the last one that has some, and nothing is looked up.
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

/** A mailing's links never change after they are saved. So the links of recently clicked mailings are cached. */
const REMEMBERED_MAX = 1_000;
const LINKS_REMEMBERED_MAX = 1_000;

function linksOfMailings(sqlite: Database): (mailing: number, number: number) => string | null {
  const link = sqlite.query<Row<typeof mailingLinks, "url">, [number, number]>(
    "SELECT url FROM mailing_links WHERE mailing = ? AND number = ?",
  );
  const urlsOf = remembering(REMEMBERED_MAX, (mailing: number) =>
    remembering(LINKS_REMEMBERED_MAX, (number: number) => link.get(mailing, number)?.url ?? null),
  );
  return (mailing, number) => urlsOf(mailing)?.(number) ?? null;
}
