import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import type { EngagementHit } from "#deliveries/ledger.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { linkClicks, mailings } from "#storage/sqlite/schema/schema.ts";

type Counts = { clicks: number; recipients: number };

/** The clicks of one transaction. Nothing but who clicked is written before `book`. */
type ClickCounts = {
  add(hit: EngagementHit): void;
  book(): void;
};

/** Counts a campaign's clicks by the address they led to, on an open transaction. */
export function clickCounts(sqlite: Database): () => ClickCounts {
  // A personal link whose contact was deleted before its click is written is none any more.
  const mailingOf = sqlite.query<Row<typeof mailings, "seq">, [number, string]>(
    `SELECT m.seq FROM deliveries d JOIN mailings m ON m.seq = d.mailing WHERE d.seq = ?1 AND m.kind = 'campaign'
     AND (d.contact IS NOT NULL OR EXISTS (SELECT 1 FROM mailing_links k WHERE k.mailing = m.seq AND k.url = ?2))`,
  );
  const known = sqlite.query<Row<typeof linkClicks, "seq">, [number, string]>(
    "SELECT seq FROM link_clicks WHERE mailing = ? AND url = ?",
  );
  const make = sqlite.query<Row<typeof linkClicks, "seq">, [number, string]>(
    "INSERT INTO link_clicks (mailing, url, clicks, recipients) VALUES (?, ?, 0, 0) RETURNING seq",
  );
  const mark = sqlite.query<null, [number, number]>(
    "INSERT INTO delivery_clicks VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  const count = sqlite.query<null, [number, number, number]>(
    "UPDATE link_clicks SET clicks = clicks + ?, recipients = recipients + ? WHERE seq = ?",
  );

  return () => {
    const counted = new Map<number, Counts>();
    return {
      add({ message, link, times }) {
        const mailing = link === null ? null : mailingOf.get(message, link.url);
        if (link === null || mailing === null) return;
        const row = known.get(mailing.seq, link.url) ?? make.get(mailing.seq, link.url);
        const { seq } = present(row, "link that was just made");
        const counts = counted.get(seq) ?? { clicks: 0, recipients: 0 };
        counted.set(seq, counts);
        counts.clicks += times;
        counts.recipients += mark.run(message, seq).changes;
      },
      book() {
        for (const [seq, { clicks, recipients }] of counted) count.run(clicks, recipients, seq);
      },
    };
  };
}
