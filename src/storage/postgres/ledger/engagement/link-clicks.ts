import { present } from "#core/present.ts";
import type { EngagementHit } from "#deliveries/ledger.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { linkClicks } from "#storage/postgres/schema/schema.ts";
import type { MessageRow } from "#storage/postgres/ledger/moves/ledger-rows.ts";

type Click = { readonly row: MessageRow; readonly url: string; readonly times: number };

/** The clicks of one transaction, by the address that they led to. Nothing is written before `book`. */
export type ClickCounts = {
  add(row: MessageRow | undefined, hit: EngagementHit): void;
  book(): Promise<void>;
};

const OF_MAILINGS = `SELECT DISTINCT mailing, url FROM mailing_links
  WHERE (mailing, url) IN (SELECT * FROM unnest($1::int8[], $2::text[]))`;
const MAKE = `INSERT INTO link_clicks (mailing, url, clicks, recipients)
  SELECT mailing, url, 0, 0 FROM (SELECT DISTINCT * FROM unnest($1::int8[], $2::text[]) AS c (mailing, url)) AS clicked
  ORDER BY mailing, url COLLATE "C" ON CONFLICT DO NOTHING`;
const LOCK = `SELECT l.seq, l.mailing, l.url FROM link_clicks AS l
  WHERE (l.mailing, md5(l.url)) IN (SELECT mailing, md5(url) FROM unnest($1::int8[], $2::text[]) AS c (mailing, url))
  ORDER BY l.seq FOR NO KEY UPDATE`;
const MARK = `INSERT INTO delivery_clicks (delivery, link) SELECT DISTINCT * FROM unnest($1::int8[], $2::int8[]) AS c (delivery, link)
  ORDER BY delivery, link ON CONFLICT DO NOTHING RETURNING link`;
const COUNT = `UPDATE link_clicks AS l SET clicks = l.clicks + c.clicks, recipients = l.recipients + c.recipients
  FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS c (seq, clicks, recipients) WHERE l.seq = c.seq`;

type Link = Row<typeof linkClicks, "seq" | "mailing" | "url">;

/** Counts a campaign's clicks, in an open transaction that has locked the messages. */
export function clickCounts(tx: Session): ClickCounts {
  const clicks: Click[] = [];
  return {
    add(row, { link, times }) {
      if (row !== undefined && link !== null && row.kind === "campaign")
        clicks.push({ row, url: link.url, times });
    },

    async book() {
      const counted = await linksOfCampaigns(tx, clicks);
      if (counted.length === 0) return;
      const values = placesOf(counted);
      await tx.run(MAKE, values);
      const links = new Map((await tx.rows<Link>(LOCK, values)).map((link) => [keyOf(link), link.seq]));
      const ofLink = counted.map(({ row, url, times }) => ({
        message: row.seq,
        link: present(links.get(keyOf({ mailing: row.mailing, url })), "link that was just made"),
        times,
      }));
      const marked = await tx.rows<{ link: number }>(MARK, [
        ofLink.map(({ message }) => message),
        ofLink.map(({ link }) => link),
      ]);
      const seqs = [...new Set(ofLink.map(({ link }) => link))];
      const sum = (link: number): number =>
        ofLink.reduce((all, one) => all + (one.link === link ? one.times : 0), 0);
      const recipients = (link: number): number => marked.filter((one) => one.link === link).length;
      await tx.run(COUNT, [seqs, seqs.map(sum), seqs.map(recipients)]);
    },
  };
}

/** A personal link no longer exists if its contact was deleted before the click is written. */
async function linksOfCampaigns(tx: Session, clicks: readonly Click[]): Promise<readonly Click[]> {
  const orphans = clicks.filter(({ row }) => row.contact === null);
  if (orphans.length === 0) return clicks;
  const shared = await tx.rows<Pick<Link, "mailing" | "url">>(OF_MAILINGS, placesOf(orphans));
  const known = new Set(shared.map(keyOf));
  return clicks.filter(
    ({ row, url }) => row.contact !== null || known.has(keyOf({ mailing: row.mailing, url })),
  );
}

const keyOf = ({ mailing, url }: Pick<Link, "mailing" | "url">): string => `${mailing} ${url}`;
const placesOf = (clicks: readonly Click[]): [number[], string[]] => [
  clicks.map(({ row }) => row.mailing),
  clicks.map(({ url }) => url),
];
