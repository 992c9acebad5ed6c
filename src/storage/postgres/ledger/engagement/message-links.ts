import type { LedgerStore } from "#deliveries/store.ts";
import {
  ERASED,
  inPlaceOf,
  isSameLinks,
  isSameRows,
  NO_LINK,
  ownRows,
  sharedLinks,
  type OwnLink,
} from "#storage/common/ledger/own-links.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { OuterRow, Row } from "#storage/postgres/schema/row.ts";
import type { deliveryLinks, mailingLinks } from "#storage/postgres/schema/schema.ts";

type Links = Pick<LedgerStore, "saveLinks" | "saveMessageLinks" | "link">;
type Placed = OuterRow<typeof deliveryLinks, "url"> & {
  /** The message has all its links in rows of its own. */
  hasAll: boolean;
  shared: string | null;
};

const OF_MAILING = "SELECT url FROM mailing_links WHERE mailing = $1 ORDER BY number";
const OF_MESSAGE = "SELECT number, url FROM delivery_links WHERE delivery = $1 ORDER BY number";
const SAVE = `INSERT INTO mailing_links (mailing, number, url)
  SELECT $1::int8, number - 1, url FROM unnest($2::text[]) WITH ORDINALITY AS l (url, number) ON CONFLICT DO NOTHING`;
const LOCK_MAILING = "SELECT FROM mailings WHERE seq = $1 FOR NO KEY UPDATE";
/**
 * The contact stays until its links are written: deleting it blanks them. A message that is composed twice at once,
 * perhaps by two nodes, waits for its other links, and replaces them.
 */
const LOCK = `SELECT c.seq FROM deliveries AS d JOIN contacts AS c ON c.seq = d.contact WHERE d.seq = $1
  FOR KEY SHARE OF c FOR NO KEY UPDATE OF d`;
const SAVE_OWN = `WITH forgotten AS (DELETE FROM delivery_links WHERE delivery = $1::int8 AND number <> ALL ($2::int8[]))
  INSERT INTO delivery_links (delivery, number, url)
  SELECT $1::int8, * FROM unnest($2::int8[], $3::text[])
  ON CONFLICT (delivery, number) DO UPDATE SET url = excluded.url`;
const PLACE = `SELECT (SELECT url FROM delivery_links WHERE delivery = d.seq AND number IN ($2::int8, $3::int8)) AS url,
    EXISTS (SELECT FROM delivery_links WHERE delivery = d.seq AND number >= ${NO_LINK}) AS has_all,
    (SELECT url FROM mailing_links WHERE mailing = d.mailing AND number = $2::int8) AS shared
  FROM deliveries AS d WHERE d.seq = $1`;

/** The addresses of a mailing's numbered links, and those of a message whose template made one. */
export function messageLinks({ read, write }: PostgresDatabase): Links {
  return {
    async saveLinks(mailing, links) {
      await write((tx) => tx.run(SAVE, [mailing, links]));
    },

    async saveMessageLinks(mailing, message, { urls: links, personal }) {
      const [saved, own] = await read((session) =>
        Promise.all([urlsOf(session, mailing), ownLinks(session, message)]),
      );
      const isSaved = own.length === 0 ? isSameLinks(saved, links) : isSameRows(own, ownRows(saved, links));
      if (isSaved) return;
      await write(async (tx) => {
        const urls = saved.length > 0 ? saved : await sharedOf(tx, mailing, sharedLinks(links, personal));
        const rows = ownRows(urls, links);
        if (rows.length + own.length === 0) return;
        // If the contact was deleted meanwhile, no address is stored.
        const isErased = (await tx.row(LOCK, [message])) === null;
        const kept = rows.map(({ url }) => (isErased ? ERASED : url));
        await tx.run(SAVE_OWN, [message, rows.map(({ number }) => number), kept]);
      });
    },

    async link(message, number) {
      const row = await read((session) => session.row<Placed>(PLACE, [message, number, inPlaceOf(number)]));
      if (row === null) return null;
      const url = row.url ?? (row.hasAll ? null : row.shared);
      return url === ERASED ? null : url;
    },
  };
}

async function urlsOf({ rows }: Session, mailing: number): Promise<readonly string[]> {
  return (await rows<Row<typeof mailingLinks, "url">>(OF_MAILING, [mailing])).map(({ url }) => url);
}

const ownLinks = ({ rows }: Session, message: number): Promise<OwnLink[]> => rows(OF_MESSAGE, [message]);

/** The first message with links gives them to its mailing; a second one at the same time waits for it. */
async function sharedOf(tx: Session, mailing: number, links: readonly string[]): Promise<readonly string[]> {
  await tx.run(LOCK_MAILING, [mailing]);
  const saved = await urlsOf(tx, mailing);
  if (saved.length > 0) return saved;
  await tx.run(SAVE, [mailing, links]);
  return links;
}
