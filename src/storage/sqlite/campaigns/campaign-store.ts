import { and, eq, sql } from "drizzle-orm";
import { accept } from "#core/errors.ts";
import type { CampaignWrite } from "#campaigns/edit.ts";
import type { CampaignStore, NewCampaignRow } from "#campaigns/store.ts";
import { campaignReads } from "./campaign-reads.ts";
import { campaignSends } from "./campaign-sends.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { planIntents } from "./plan-intents.ts";
import { campaignBodies, campaigns, lists } from "#storage/sqlite/schema/schema.ts";
import { searchTextOf } from "#storage/sqlite/search/search-text.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { required } from "#storage/sqlite/engine/required.ts";

export function campaignStore(database: SqliteDatabase, seqOf: WorkspaceSeq): CampaignStore {
  const { sqlite, orm, writes } = database;
  const reads = campaignReads(database);
  const sends = campaignSends(sqlite);
  const intents = planIntents(sqlite.filename);
  const listSeq = orm
    .select({ seq: lists.seq })
    .from(lists)
    .where(and(eq(lists.id, sql.placeholder("id")), eq(lists.workspace, sql.placeholder("workspace"))))
    .prepare();

  const insert = (workspace: number, { body, listId, ...campaign }: NewCampaignRow): boolean => {
    const list = listId === null ? null : listSeq.get({ id: listId, workspace });
    if (list === undefined) return false;
    const search = searchTextOf(campaign.name, campaign.subject);
    const { seq } = orm
      .insert(campaigns)
      .values({ ...campaign, workspace, search, status: "DRAFT", list: list?.seq ?? null })
      .returning({ seq: campaigns.seq })
      .get();
    orm.insert(campaignBodies).values({ campaign: seq, html: body }).run();
    return true;
  };

  const write = (
    workspace: number,
    row: { seq: number; name: string; subject: string },
    change: CampaignWrite,
  ): void => {
    const { name = row.name, subject = row.subject, body, listId, scheduledAt } = change;
    const found = listId ? required(listSeq.get({ id: listId, workspace })).seq : null;
    // Drizzle leaves a column alone whose value is undefined.
    const list = listId === undefined ? undefined : found;
    orm
      .update(campaigns)
      .set({ name, subject, search: searchTextOf(name, subject), list, ...schedule(scheduledAt) })
      .where(eq(campaigns.seq, row.seq))
      .run();
    if (body !== undefined) {
      orm.update(campaignBodies).set({ html: body }).where(eq(campaignBodies.campaign, row.seq)).run();
    }
  };

  return {
    insert: (workspaceId, campaign) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        return insert(workspace, campaign) ? required(reads.find(workspace, campaign.id)).campaign : null;
      }),

    find: async (workspaceId, id) => reads.find(seqOf(workspaceId), id),

    letter: async (workspaceId, id) => reads.letter(seqOf(workspaceId), id),

    page: async (workspaceId, filter, page) => reads.page(seqOf(workspaceId), filter, page),

    change: (workspaceId, id, decide) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const found = reads.find(workspace, id);
        if (!found) return null;
        const { campaign, mailing } = found;
        const state = { status: campaign.status, frozen: mailing !== null, listId: campaign.listId };
        const decided = decide(state, (listId) => listSeq.get({ id: listId, workspace }) !== undefined);
        if (!decided.ok) return decided;
        if (Object.keys(decided.value).length === 0) return accept(campaign);
        write(workspace, { ...campaign, seq: found.seq }, decided.value);
        return accept(required(reads.find(workspace, id)).campaign);
      }),

    delete: (workspaceId, id) =>
      writes.write(() => {
        const found = reads.find(seqOf(workspaceId), id);
        if (!found) return false;
        sends.stop(id);
        orm.delete(campaigns).where(eq(campaigns.seq, found.seq)).run();
        return true;
      }),

    async release(workspaceId, id, now) {
      // First: a plan that is let go of without it would be taken back.
      if (reads.find(seqOf(workspaceId), id)?.held && sends.isPlanHeld(id))
        intents.keep(id, { overrideQuietHours: false, ...intents.find(id), run: 0 });
      return await writes.write(() => {
        const found = reads.find(seqOf(workspaceId), id);
        if (!found) return "not found";
        if (!found.held) return "not held";
        sends.release(id, now);
        return "released";
      });
    },
  };
}

/** A schedule made or taken off by a person also ends a hold on the old one, and what kept that one waiting. */
function schedule(scheduledAt: number | null | undefined) {
  if (scheduledAt === undefined) return {};
  const status: "DRAFT" | "SCHEDULED" = scheduledAt === null ? "DRAFT" : "SCHEDULED";
  return { status, scheduledAt, nextTryAt: scheduledAt, blocked: null, held: 0 };
}
