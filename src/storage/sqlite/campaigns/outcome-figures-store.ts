import type { CampaignFigures, OutcomeFiguresStore } from "#campaigns/report/outcome-figures.ts";
import { present } from "#core/present.ts";
import { inLetterOrder } from "#storage/common/campaigns/link-figures.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { linkClicks, mailingLinks } from "#storage/sqlite/schema/schema.ts";
import { readBetween } from "#storage/sqlite/stats/between.ts";

export function outcomeFiguresStore({ sqlite }: SqliteDatabase): OutcomeFiguresStore {
  const clicked = sqlite.query<Row<typeof linkClicks, "url" | "clicks" | "recipients">, [number, number]>(
    // Of a link that belonged only to a deleted contact, only the figures are left.
    "SELECT url, clicks, recipients FROM link_clicks WHERE mailing = ? AND url NOT GLOB '-*' ORDER BY clicks DESC, seq LIMIT ?",
  );
  const known = sqlite.query<Row<typeof mailingLinks, "url">, [number, number]>(
    "SELECT url FROM mailing_links WHERE mailing = ? ORDER BY number LIMIT ?",
  );
  const span = sqlite.query<{ from: number | null; to: number | null }, [number]>(
    'SELECT min(at) AS "from", max(at) AS "to" FROM mailing_activity WHERE mailing = ?',
  );
  const sum = sqlite.query<CampaignFigures, [number, number, number]>(
    `SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(opened), 0) AS opened, coalesce(sum(clicked), 0) AS clicked,
       coalesce(sum(bounced), 0) AS bounced, coalesce(sum(unsubscribed), 0) AS unsubscribed
     FROM mailing_activity WHERE mailing = ? AND at >= ? AND at < ?`,
  );

  return {
    async links(mailing, isPersonal, max) {
      const figures = clicked.all(mailing, max);
      if (isPersonal) return figures;
      return inLetterOrder(
        figures,
        known.all(mailing, max).map(({ url }) => url),
      ).slice(0, max);
    },

    async span(mailing) {
      const { from, to } = present(span.get(mailing), "span of a mailing");
      return from === null || to === null ? null : { from, to };
    },

    between: (mailing, bounds) =>
      readBetween(bounds, (from, to) => present(sum.get(mailing, from, to), "sum of figures")),
  };
}
