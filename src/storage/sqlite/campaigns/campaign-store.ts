import { eq, sql } from "drizzle-orm";
import { accept } from "#core/errors/errors.ts";
import { stateOf, type CampaignWrite } from "#campaigns/edit.ts";
import type { CampaignStore, NewCampaignRow } from "#campaigns/store.ts";
import { campaignReads } from "./campaign-reads.ts";
import { campaignSends } from "./campaign-sends.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { optionWrites } from "./option-writes.ts";
import { planIntents } from "#storage/sqlite/campaigns/plan/plan-intents.ts";
import { listSeq } from "#storage/sqlite/lists/list-seq.ts";
import { campaignBodies, campaigns } from "#storage/sqlite/schema/tables/campaigns.ts";
import { mailings } from "#storage/sqlite/schema/tables/ledger.ts";
import { searchTextOf } from "#storage/common/engine/search-text.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { present } from "#core/present.ts";

export function campaignStore(database: SqliteDatabase, seqOf: WorkspaceSeq): CampaignStore {
  const { sqlite, orm, writes } = database;
  const reads = campaignReads(database);
  const sends = campaignSends(sqlite);
  const rows = rowWrites(database);
  const options = optionWrites(sqlite);

  return {
    insert: (workspaceId, campaign) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        if (!rows.insert(workspace, campaign)) return null;
        return present(reads.find(workspace, campaign.id), "campaign that was just made").campaign;
      }),

    find: async (workspaceId, id) => reads.find(seqOf(workspaceId), id),

    letter: async (workspaceId, id) => reads.letter(seqOf(workspaceId), id),

    page: async (workspaceId, filter, page) => reads.page(seqOf(workspaceId), filter, page),

    ...changing(database, seqOf),

    duplicate: (workspaceId, id, copy) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const [found, letter] = [reads.find(workspace, id), reads.letter(workspace, id)];
        if (!found || !letter) return null;
        const { name, subject, listId } = found.campaign;
        const { nameOf, ...row } = copy;
        rows.insert(workspace, { ...row, name: nameOf(name), subject, body: letter.html, listId });
        const made = present(reads.find(workspace, copy.id), "campaign that was just made");
        options.save(workspace, made.seq, letter.options);
        return made.campaign;
      }),

    delete: (workspaceId, id) =>
      writes.write(() => {
        const found = reads.find(seqOf(workspaceId), id);
        if (!found) return false;
        sends.stop(id);
        orm.delete(campaigns).where(eq(campaigns.seq, found.seq)).run();
        return true;
      }),

    release: holdRelease(database, seqOf),
  };
}

/** What a person changes in a campaign and its options, while it may be changed. */
function changing(
  database: SqliteDatabase,
  seqOf: WorkspaceSeq,
): Pick<CampaignStore, "change" | "changeOptions"> {
  const { sqlite, writes } = database;
  const reads = campaignReads(database);
  const rows = rowWrites(database);
  const options = optionWrites(sqlite);
  return {
    change: (workspaceId, id, listIds, decide) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const found = reads.find(workspace, id);
        if (!found) return null;
        const { campaign } = found;
        const decided = decide(stateOf(found), options.known(workspace, "list", listIds));
        if (!decided.ok) return decided;
        if (Object.keys(decided.value).length === 0) return accept(campaign);
        rows.change(workspace, { ...campaign, seq: found.seq }, decided.value);
        return accept(present(reads.find(workspace, id), "campaign that was just changed").campaign);
      }),

    changeOptions: (workspaceId, id, { lists, segments }, decide) =>
      writes.write(() => {
        const workspace = seqOf(workspaceId);
        const found = reads.find(workspace, id);
        if (!found) return null;
        const before = present(reads.letter(workspace, id), "letter of a campaign").options;
        const decided = decide(
          { ...stateOf(found), options: before },
          {
            lists: options.known(workspace, "list", lists),
            segments: options.known(workspace, "segment", segments),
          },
        );
        if (!decided.ok) return decided;
        options.save(workspace, found.seq, decided.value.options);
        if (decided.value.scheduledAt === null)
          rows.change(workspace, { ...found.campaign, seq: found.seq }, { scheduledAt: null });
        return accept(decided.value.options);
      }),
  };
}

/** Creates and changes a campaign's row, on an open transaction. */
function rowWrites({ sqlite, orm }: SqliteDatabase) {
  const seqOfList = listSeq(sqlite);

  return {
    /** False: the workspace does not have the list. */
    insert(workspace: number, { body, listId, ...campaign }: NewCampaignRow): boolean {
      const list = listId === null ? null : seqOfList(workspace, listId);
      if (listId !== null && list === null) return false;
      const search = searchTextOf(campaign.name, campaign.subject);
      const { seq } = orm
        .insert(campaigns)
        .values({ ...campaign, workspace, search, status: "DRAFT", list })
        .returning({ seq: campaigns.seq })
        .get();
      orm.insert(campaignBodies).values({ campaign: seq, html: body }).run();
      return true;
    },

    change(
      workspace: number,
      row: { seq: number; name: string; subject: string },
      change: CampaignWrite,
    ): void {
      const { name = row.name, subject = row.subject, body, listId, scheduledAt } = change;
      const found = listId ? present(seqOfList(workspace, listId), "list that was just checked") : null;
      // Drizzle does not write a column whose value is undefined.
      const list = listId === undefined ? undefined : found;
      orm
        .update(campaigns)
        .set({ name, subject, search: searchTextOf(name, subject), list, ...schedule(scheduledAt) })
        .where(eq(campaigns.seq, row.seq))
        .run();
      if (body !== undefined) {
        orm.update(campaignBodies).set({ html: body }).where(eq(campaignBodies.campaign, row.seq)).run();
      }
    },
  };
}

/** Ends a hold on a campaign. */
function holdRelease(database: SqliteDatabase, seqOf: WorkspaceSeq): CampaignStore["release"] {
  const { sqlite, writes } = database;
  const { find } = campaignReads(database);
  const sends = campaignSends(sqlite);
  const intents = planIntents(sqlite.filename);

  return async (workspaceId, id, now) => {
    // Before the hold ends: a plan that is released without its intent would be taken back.
    if (find(seqOf(workspaceId), id)?.held && sends.isPlanHeld(id)) {
      const kept = intents.find(id);
      if (kept instanceof Error) throw kept;
      await intents.keep(id, { overrideQuietHours: false, ...kept, run: 0 });
    }
    return await writes.write(() => {
      const found = find(seqOf(workspaceId), id);
      if (!found) return "not found";
      if (!found.held) return "not held";
      sends.release(id, now);
      return "released";
    });
  };
}

/** An existing plan keeps its pause. */
const UNLESS_PLANNED = sql<string | null>`iif(EXISTS (SELECT 1 FROM ${mailings} WHERE kind = 'campaign'
  AND source_id = ${campaigns.id}), ${campaigns.paused}, NULL)`;

/**
 * If a person sets or removes the schedule, this also ends a hold on the old one, and clears the reason for
 * waiting.
 */
function schedule(scheduledAt: number | null | undefined) {
  if (scheduledAt === undefined) return {};
  const status: "DRAFT" | "SCHEDULED" = scheduledAt === null ? "DRAFT" : "SCHEDULED";
  return { status, scheduledAt, nextTryAt: scheduledAt, blocked: null, held: 0, paused: UNLESS_PLANNED };
}
