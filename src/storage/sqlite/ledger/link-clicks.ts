import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import { remembering } from "#core/remembered.ts";
import type { EngagementHit } from "#deliveries/ledger.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, linkClicks, mailings } from "#storage/sqlite/schema/schema.ts";

type Counts = { readonly seq: number; clicks: number; recipients: number };

/** More mailings than are clicked at the same time. */
const REMEMBERED_MAX = 1_000;

/** The clicks of one transaction. Before `book`, only who clicked is written. */
type ClickCounts = {
  add(hit: EngagementHit): void;
  book(): void;
};

/** Counts a campaign's clicks by the address that they led to, on an open transaction. */
export function clickCounts(sqlite: Database): () => ClickCounts {
  const placeOf = sqlite.query<Row<typeof deliveries, "mailing"> & { hasContact: number }, [number]>(
    "SELECT mailing, contact IS NOT NULL AS hasContact FROM deliveries WHERE seq = ?",
  );
  const kind = sqlite.query<Row<typeof mailings, "kind">, [number]>(
    "SELECT kind FROM mailings WHERE seq = ?",
  );
  /** A mailing's kind never changes. */
  const kindOf = remembering(REMEMBERED_MAX, (mailing: number) => kind.get(mailing)?.kind ?? null);
  const ofMailing = sqlite.query<{ found: number }, [number, string]>(
    "SELECT 1 AS found FROM mailing_links WHERE mailing = ? AND url = ? LIMIT 1",
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

  /** The campaign that the link belongs to; null if there is none. */
  const campaignOf = (message: number, url: string): number | null => {
    const place = placeOf.get(message);
    if (place === null || kindOf(place.mailing) !== "campaign") return null;
    // A personal link no longer exists if its contact was deleted before the click is written.
    return place.hasContact === 1 || ofMailing.get(place.mailing, url) !== null ? place.mailing : null;
  };
  const countsOf = (mailing: number, url: string): Counts => {
    const row = known.get(mailing, url) ?? make.get(mailing, url);
    return { seq: present(row, "link that was just made").seq, clicks: 0, recipients: 0 };
  };

  return () => {
    // By mailing and address: most clicks of a transaction are on the same few links.
    const counted = new Map<number, Map<string, Counts>>();
    return {
      add({ message, link, times }) {
        const mailing = link === null ? null : campaignOf(message, link.url);
        if (link === null || mailing === null) return;
        const ofCampaign = counted.get(mailing) ?? new Map<string, Counts>();
        const counts = ofCampaign.get(link.url) ?? countsOf(mailing, link.url);
        counted.set(mailing, ofCampaign.set(link.url, counts));
        counts.clicks += times;
        counts.recipients += mark.run(message, counts.seq).changes;
      },
      book() {
        for (const ofCampaign of counted.values())
          for (const { seq, clicks, recipients } of ofCampaign.values()) count.run(clicks, recipients, seq);
      },
    };
  };
}
