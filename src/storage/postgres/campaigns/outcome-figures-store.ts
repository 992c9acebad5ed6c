import {
  CAMPAIGN_FIGURES,
  type CampaignFigures,
  type LinkFigures,
  type OutcomeFiguresStore,
} from "#campaigns/report/outcome-figures.ts";
import { present } from "#core/present.ts";
import { inLetterOrder } from "#storage/common/campaigns/link-figures.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { mailingLinks } from "#storage/postgres/schema/schema.ts";

/** Of a link that belonged only to a deleted contact, only the figures are left. */
const CLICKED = `SELECT url, clicks, recipients FROM link_clicks WHERE mailing = $1 AND url NOT LIKE '-%'
  ORDER BY clicks DESC, seq LIMIT $2`;
const KNOWN = "SELECT url FROM mailing_links WHERE mailing = $1 ORDER BY number LIMIT $2";
const SPAN = 'SELECT min(at) AS "from", max(at) AS "to" FROM mailing_activity WHERE mailing = $1';
const SUMS = CAMPAIGN_FIGURES.map((figure) => `coalesce(sum(a.${figure}), 0)::int8 AS ${figure}`);
/** The figures of each stretch between two instants, in their order. */
const BETWEEN = `SELECT s.n, ${SUMS.join(", ")}
  FROM unnest($2::int8[], $3::int8[]) WITH ORDINALITY AS s (lo, hi, n)
  LEFT JOIN mailing_activity AS a ON a.mailing = $1 AND a.at >= s.lo AND a.at < s.hi
  GROUP BY s.n ORDER BY s.n`;

export function outcomeFiguresStore({ read }: PostgresDatabase): OutcomeFiguresStore {
  return {
    async links(mailing, isPersonal, max) {
      const [clicked, known] = await read(({ rows }) =>
        Promise.all([
          rows<LinkFigures>(CLICKED, [mailing, max]),
          isPersonal ? [] : rows<Row<typeof mailingLinks, "url">>(KNOWN, [mailing, max]),
        ]),
      );
      if (isPersonal) return clicked;
      const urls = known.map(({ url }) => url);
      return inLetterOrder(clicked, urls).slice(0, max);
    },

    async span(mailing) {
      const found = await read(({ row }) => row<{ from: number | null; to: number | null }>(SPAN, [mailing]));
      const { from, to } = present(found, "span of a mailing");
      return from === null || to === null ? null : { from, to };
    },

    async between(mailing, bounds) {
      const values = [mailing, bounds.slice(0, -1), bounds.slice(1)];
      const rows = await read((session) => session.rows<CampaignFigures & { n: number }>(BETWEEN, values));
      return rows.map(({ n: _n, ...figures }) => figures);
    },
  };
}
