import type { Database } from "bun:sqlite";
import { remembering } from "#core/remembered.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
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
  const own = sqlite.query<Row<typeof deliveryLinks, "url">, [number]>(
    "SELECT url FROM delivery_links WHERE delivery = ? AND number >= 0 ORDER BY number",
  );
  const forgetOwn = sqlite.query<null, [number]>("DELETE FROM delivery_links WHERE delivery = ?");
  const saveOwn = sqlite.query<null, [number, number, string]>("INSERT INTO delivery_links VALUES (?, ?, ?)");
  const ofTheirOwn = ownLinks(sqlite);
  const ownLink = sqlite.query<Row<typeof deliveryLinks, "url">, [number, number]>(
    "SELECT url FROM delivery_links WHERE delivery = ? AND number = ?",
  );
  const place = sqlite.query<Row<typeof deliveries, "mailing"> & { hasOwn: number }, [number]>(
    `SELECT mailing, EXISTS (SELECT 1 FROM delivery_links WHERE delivery = ?1) AS hasOwn
     FROM deliveries WHERE seq = ?1`,
  );
  const shared = sharedLinks(sqlite);
  const sharedBy = remembering(REMEMBERED_MAX, (mailing: number) => {
    const urls = known.all(mailing).map(({ url }) => url);
    return urls.length === 0 ? null : urls;
  });

  const are = (urls: readonly string[], links: readonly string[]): boolean =>
    urls === links || (urls.length === links.length && urls.every((url, number) => url === links[number]));
  const saveAll = (mailing: number, links: readonly string[]): void => {
    for (const [number, url] of links.entries()) save.run(mailing, number, url);
  };

  return {
    saveLinks: (mailing, links) => writes.write(() => saveAll(mailing, links)),

    async saveMessageLinks(mailing, message, links) {
      const isOwn = ofTheirOwn.has(message);
      const stored = isOwn ? own.all(message).map(({ url }) => url) : (sharedBy(mailing) ?? []);
      if (are(stored, links)) return;
      await writes.write(() => {
        if (!isOwn && known.all(mailing).length === 0) return saveAll(mailing, links);
        ofTheirOwn.add(message);
        forgetOwn.run(message);
        if (links.length === 0) saveOwn.run(message, NO_LINK, "");
        for (const [number, url] of links.entries()) saveOwn.run(message, number, url);
      });
    },

    async link(message, number) {
      const row = place.get(message);
      if (row === null) return null;
      return row.hasOwn === 1 ? (ownLink.get(message, number)?.url ?? null) : shared(row.mailing, number);
    },
  };
}

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

/** The number of a row that says: this message has no links, although its mailing has some. */
const NO_LINK = -1;

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
