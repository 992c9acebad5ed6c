import type { Campaign } from "#campaigns/campaign.ts";
import type { CampaignLetter } from "#campaigns/options/options.ts";
import type { CampaignFilter, StoredCampaign } from "#campaigns/store.ts";
import { pageOf, type Page, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { storedOptions } from "#storage/common/campaigns/campaign-options.ts";
import { campaignOf, type CampaignRow } from "#storage/common/campaigns/campaign-row.ts";
import { HELD } from "#storage/common/campaigns/held.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import type { Session, Value as Given } from "#storage/postgres/engine/session.ts";
import type { OuterRow, Row, Value } from "#storage/postgres/schema/row.ts";
import type {
  campaignBodies,
  campaignOptions,
  campaigns,
  mailings,
} from "#storage/postgres/schema/schema.ts";
import { recordCount } from "#storage/postgres/workspaces/record-count.ts";
import { CAMPAIGN_COLUMNS, CAMPAIGN_JOINS } from "./campaign-columns.ts";

type Options = { options: Value<typeof campaignOptions, "options"> | null };
type ShownRow = CampaignRow & Row<typeof campaigns, "seq">;
type FoundRow = ShownRow &
  Row<typeof campaigns, "mailing" | "blocked" | "held" | "paused"> &
  Options & { mailingHeld: OuterRow<typeof mailings, "held">["held"] };
type LetterRow = Row<typeof campaigns, "name" | "subject"> &
  Row<typeof campaignBodies, "html" | "text"> &
  Options;

export type FoundCampaign = StoredCampaign & { readonly seq: number };

const FIND = `SELECT ${CAMPAIGN_COLUMNS}, c.mailing, c.blocked, c.held, c.paused, m.held AS mailing_held, o.options
  FROM campaigns AS c ${CAMPAIGN_JOINS} LEFT JOIN campaign_options AS o ON o.campaign = c.seq
  WHERE c.workspace = $1 AND c.id = $2`;
const LETTER = `SELECT c.name, c.subject, b.html, b.text, o.options FROM campaigns AS c
  JOIN campaign_bodies AS b ON b.campaign = c.seq LEFT JOIN campaign_options AS o ON o.campaign = c.seq
  WHERE c.workspace = $1 AND c.id = $2`;
const LOCK = "SELECT FROM campaigns WHERE workspace = $1 AND id = $2 FOR NO KEY UPDATE";

export async function findCampaign(
  session: Session,
  workspace: number,
  id: string,
): Promise<FoundCampaign | null> {
  const row = await session.row<FoundRow>(FIND, [workspace, id]);
  if (row === null) return null;
  const { seq, mailing, blocked, paused, held, mailingHeld, options } = row;
  return {
    seq,
    campaign: campaignOf(row),
    options: storedOptions(options),
    mailing,
    blocked,
    paused,
    held: held || ((mailingHeld ?? 0) & HELD.copy) !== 0,
  };
}

/** The same, locked until the transaction ends. */
export async function lockCampaign(
  tx: Session,
  workspace: number,
  id: string,
): Promise<FoundCampaign | null> {
  await tx.run(LOCK, [workspace, id]);
  return await findCampaign(tx, workspace, id);
}

export async function letterOf(
  session: Session,
  workspace: number,
  id: string,
): Promise<CampaignLetter | null> {
  const row = await session.row<LetterRow>(LETTER, [workspace, id]);
  if (row === null) return null;
  const { options, text, ...letter } = row;
  return { ...letter, options: { ...storedOptions(options), text } };
}

/** Newest first. */
export async function campaignPage(
  session: Session,
  workspace: number,
  { status, q }: CampaignFilter,
  { limit, before }: PageRequest,
): Promise<Page<Campaign>> {
  const term = searchTermOf(q ?? "");
  const shape = { position: ({ seq }: ShownRow) => seq, item: campaignOf };
  // No stored text has NUL, and PostgreSQL does not accept it in a text.
  if (term.includes("\0")) return pageOf([], 0, limit, shape);
  const values: readonly Given[] = [workspace, status, term];
  const [rows, total] = await Promise.all([
    session.rows<ShownRow>(PAGE, [...values, before ?? Number.MAX_SAFE_INTEGER, limit + 1]),
    term === "" ? recordCount(session, workspace, "campaign", status) : countFound(session, values),
  ]);
  return pageOf(rows, total, limit, shape);
}

const WANTED = `c.workspace = $1 AND ($2::text IS NULL OR c.status = $2) AND strpos(c.search, $3) > 0`;
const PAGE = `SELECT ${CAMPAIGN_COLUMNS} FROM campaigns AS c ${CAMPAIGN_JOINS}
  WHERE ${WANTED} AND c.seq < $4 ORDER BY c.seq DESC LIMIT $5`;
const COUNT = `SELECT count(*) AS n FROM campaigns AS c WHERE ${WANTED}`;

async function countFound({ row }: Session, values: readonly Given[]): Promise<number> {
  return present(await row<{ n: number }>(COUNT, values), "count of campaigns").n;
}
