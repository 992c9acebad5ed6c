import { eq, sql } from "drizzle-orm";
import type { CampaignWrite } from "#campaigns/edit.ts";
import type { NewCampaignRow } from "#campaigns/store.ts";
import { present } from "#core/present.ts";
import { searchTextOf } from "#storage/common/engine/search-text.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { holdLists } from "#storage/postgres/lists/hold-lists.ts";
import { campaignBodies, campaigns, mailings } from "#storage/postgres/schema/schema.ts";

/** A new DRAFT; returns its row number. Null, and nothing is written: the workspace does not have the list. */
export async function insertCampaign(
  tx: Session,
  workspace: number,
  { body, listId, ...campaign }: NewCampaignRow,
): Promise<number | null> {
  const lists = await holdLists(tx, workspace, listId === null ? [] : [listId]);
  const list = listId === null ? null : lists.get(listId);
  if (list === undefined) return null;
  const search = searchTextOf(campaign.name, campaign.subject);
  const [made] = await tx.orm
    .insert(campaigns)
    .values({ ...campaign, workspace, search, status: "DRAFT", list })
    .returning({ seq: campaigns.seq });
  const { seq } = present(made, "campaign that was just made");
  await tx.orm.insert(campaignBodies).values({ campaign: seq, html: body });
  return seq;
}

/** Writes a change, on an open transaction that has locked the campaign and the lists that it names. */
export async function changeCampaign(
  { orm }: Session,
  row: { seq: number; name: string; subject: string },
  { name = row.name, subject = row.subject, body, listId, scheduledAt }: CampaignWrite,
  lists: ReadonlyMap<string, number>,
): Promise<void> {
  // Drizzle does not write a column whose value is undefined.
  const list =
    listId === undefined || listId === null
      ? listId
      : present(lists.get(listId), "list that was just checked");
  await orm
    .update(campaigns)
    .set({ name, subject, search: searchTextOf(name, subject), list, ...schedule(scheduledAt) })
    .where(eq(campaigns.seq, row.seq));
  if (body !== undefined)
    await orm.update(campaignBodies).set({ html: body }).where(eq(campaignBodies.campaign, row.seq));
}

/** An existing plan keeps its pause. */
const UNLESS_PLANNED = sql<string | null>`CASE WHEN EXISTS (SELECT FROM ${mailings} WHERE kind = 'campaign'
  AND source_id = ${campaigns.id}) THEN ${campaigns.paused} END`;

/**
 * If a person sets or removes the schedule, this also ends a hold on the old one, and clears the reason for
 * waiting.
 */
function schedule(scheduledAt: number | null | undefined) {
  if (scheduledAt === undefined) return {};
  const status: "DRAFT" | "SCHEDULED" = scheduledAt === null ? "DRAFT" : "SCHEDULED";
  return { status, scheduledAt, nextTryAt: scheduledAt, blocked: null, held: false, paused: UNLESS_PLANNED };
}
