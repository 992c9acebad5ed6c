import type { CampaignOptions } from "#campaigns/options/options.ts";
import { segmentsOf } from "#storage/common/campaigns/campaign-options.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { segments } from "#storage/postgres/schema/schema.ts";

const HOLD_SEGMENTS =
  "SELECT id FROM segments WHERE workspace = $1 AND id = ANY($2::text[]) ORDER BY seq FOR KEY SHARE";
const SAVE_OPTIONS =
  "INSERT INTO campaign_options VALUES ($1, $2) ON CONFLICT (campaign) DO UPDATE SET options = excluded.options";
const SAVE_TEXT = "UPDATE campaign_bodies SET text = $2 WHERE campaign = $1";
const FORGET_SEGMENTS = "DELETE FROM campaign_segments WHERE campaign = $1";
const SAVE_SEGMENTS = `INSERT INTO campaign_segments (segment, campaign)
  SELECT seq, $1 FROM segments WHERE workspace = $2 AND id = ANY($3::text[]) ON CONFLICT DO NOTHING`;

/** Which of the segments the workspace has; they are locked until the transaction ends. */
export async function holdSegments(
  { rows }: Session,
  workspace: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  return new Set(
    (await rows<Row<typeof segments, "id">>(HOLD_SEGMENTS, [workspace, ids])).map(({ id }) => id),
  );
}

/** Stores a campaign's options, on an open transaction that has locked the campaign. */
export async function saveOptions(
  tx: Session,
  workspace: number,
  campaign: number,
  { text, ...options }: CampaignOptions,
): Promise<void> {
  const named = segmentsOf(options);
  await Promise.all([
    tx.run(SAVE_OPTIONS, [campaign, JSON.stringify(options)]),
    tx.run(SAVE_TEXT, [campaign, text]),
    tx.run(FORGET_SEGMENTS, [campaign]),
    ...(named.length > 0 ? [tx.run(SAVE_SEGMENTS, [campaign, workspace, named])] : []),
  ]);
}
