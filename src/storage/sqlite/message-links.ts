import type { LedgerStore } from "#deliveries/store.ts";
import type { SqliteDatabase } from "./open.ts";

type Links = Pick<LedgerStore, "saveLinks" | "saveMessageLinks" | "link">;

/** Where the numbered links of a mailing lead, and those of a message whose template filled one in. */
export function messageLinks({ sqlite, writes }: SqliteDatabase): Links {
  const save = sqlite.query<null, [number, number, string]>(
    "INSERT INTO mailing_links VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const known = sqlite.query<{ url: string }, [number]>(
    "SELECT url FROM mailing_links WHERE mailing = ? ORDER BY number",
  );
  const own = sqlite.query<{ url: string }, [number]>(
    "SELECT url FROM delivery_links WHERE delivery = ? ORDER BY number",
  );
  const forgetOwn = sqlite.query<null, [number]>("DELETE FROM delivery_links WHERE delivery = ?");
  const saveOwn = sqlite.query<null, [number, number, string]>("INSERT INTO delivery_links VALUES (?, ?, ?)");
  const hasOwn = sqlite.query<{ url: string }, [number]>(
    "SELECT url FROM delivery_links WHERE delivery = ? LIMIT 1",
  );
  const ownLink = sqlite.query<{ url: string }, [number, number]>(
    "SELECT url FROM delivery_links WHERE delivery = ? AND number = ?",
  );
  const shared = sqlite.query<{ url: string }, [number, number]>(
    "SELECT l.url FROM deliveries d CROSS JOIN mailing_links l ON l.mailing = d.mailing AND l.number = ?2 WHERE d.seq = ?1",
  );

  const are = (rows: readonly { url: string }[], links: readonly string[]): boolean =>
    rows.length === links.length && rows.every(({ url }, number) => url === links[number]);
  const saveAll = (mailing: number, links: readonly string[]): void => {
    for (const [number, url] of links.entries()) save.run(mailing, number, url);
  };

  return {
    saveLinks: (mailing, links) => writes.write(() => saveAll(mailing, links)),

    async saveMessageLinks(mailing, message, links) {
      const isOwn = hasOwn.get(message) !== null;
      if (isOwn ? are(own.all(message), links) : are(known.all(mailing), links)) return;
      await writes.write(() => {
        if (!isOwn && known.all(mailing).length === 0) return saveAll(mailing, links);
        forgetOwn.run(message);
        for (const [number, url] of links.entries()) saveOwn.run(message, number, url);
      });
    },

    link: async (message, number) =>
      (hasOwn.get(message) === null ? shared : ownLink).get(message, number)?.url ?? null,
  };
}
