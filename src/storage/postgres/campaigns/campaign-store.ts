import { accept } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import type { Campaign } from "#campaigns/campaign.ts";
import { stateOf } from "#campaigns/edit.ts";
import type { CampaignStore } from "#campaigns/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { holdLists } from "#storage/postgres/lists/hold-lists.ts";
import { campaignPage, findCampaign, letterOf, lockCampaign } from "./campaign-reads.ts";
import { lockMailing, releaseHold, stopSending } from "./campaign-sends.ts";
import { changeCampaign, insertCampaign } from "./campaign-writes.ts";
import { holdSegments, saveOptions } from "./option-writes.ts";

export function campaignStore(database: PostgresDatabase): CampaignStore {
  return { ...reads(database), ...making(database), ...changing(database), ...ending(database) };
}

type Reads = Pick<CampaignStore, "find" | "letter" | "page">;

function reads({ read, seqOf }: PostgresDatabase): Reads {
  return {
    async find(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      const found = await read((session) => findCampaign(session, workspace, id));
      if (found === null) return null;
      const { seq: _, ...campaign } = found;
      return campaign;
    },

    async letter(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => letterOf(session, workspace, id));
    },

    async page(workspaceId, filter, page) {
      const workspace = await seqOf(workspaceId);
      return await read((session) => campaignPage(session, workspace, filter, page));
    },
  };
}

const shownAfter = async (tx: Session, workspace: number, id: string): Promise<Campaign> =>
  present(await findCampaign(tx, workspace, id), "campaign that was just written").campaign;

function making({ write, seqOf }: PostgresDatabase): Pick<CampaignStore, "insert" | "duplicate"> {
  return {
    async insert(workspaceId, campaign) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        if ((await insertCampaign(tx, workspace, campaign)) === null) return null;
        return await shownAfter(tx, workspace, campaign.id);
      });
    },

    async duplicate(workspaceId, id, { nameOf, ...row }) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const found = await lockCampaign(tx, workspace, id);
        const letter = await letterOf(tx, workspace, id);
        if (found === null || letter === null) return null;
        const { name, subject, listId } = found.campaign;
        const copy = { ...row, name: nameOf(name), subject, body: letter.html, listId };
        const made = present(await insertCampaign(tx, workspace, copy), "campaign with the list of another");
        await saveOptions(tx, workspace, made, letter.options);
        return await shownAfter(tx, workspace, row.id);
      });
    },
  };
}

/**
 * What a person changes in a campaign and its options, while it may be changed. The campaign is locked before the
 * lists: so do those who begin to send it or delete its list, and there are no deadlocks.
 */
function changing({ write, seqOf }: PostgresDatabase): Pick<CampaignStore, "change" | "changeOptions"> {
  return {
    async change(workspaceId, id, listIds, decide) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const found = await lockCampaign(tx, workspace, id);
        if (found === null) return null;
        const lists = await holdLists(tx, workspace, listIds);
        const { seq, campaign } = found;
        const decided = decide(stateOf(found), new Set(lists.keys()));
        if (!decided.ok) return decided;
        if (Object.keys(decided.value).length === 0) return accept(campaign);
        await changeCampaign(tx, { ...campaign, seq }, decided.value, lists);
        return accept(await shownAfter(tx, workspace, id));
      });
    },

    async changeOptions(workspaceId, id, named, decide) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const found = await lockCampaign(tx, workspace, id);
        if (found === null) return null;
        const lists = new Set((await holdLists(tx, workspace, named.lists)).keys());
        const segments = await holdSegments(tx, workspace, named.segments);
        const { seq, campaign } = found;
        const before = present(await letterOf(tx, workspace, id), "letter of a campaign").options;
        const decided = decide({ ...stateOf(found), options: before }, { lists, segments });
        if (!decided.ok) return decided;
        await saveOptions(tx, workspace, seq, decided.value.options);
        if (decided.value.scheduledAt === null)
          await changeCampaign(tx, { ...campaign, seq }, { scheduledAt: null }, new Map());
        return accept(decided.value.options);
      });
    },
  };
}

function ending({ write, seqOf }: PostgresDatabase): Pick<CampaignStore, "delete" | "release"> {
  return {
    async delete(workspaceId, id) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const mailing = await lockMailing(tx, workspace, id);
        if (mailing !== null) await stopSending(tx, mailing);
        return (await tx.run("DELETE FROM campaigns WHERE workspace = $1 AND id = $2", [workspace, id])) > 0;
      });
    },

    async release(workspaceId, id, now) {
      const workspace = await seqOf(workspaceId);
      return await write(async (tx) => {
        const mailing = await lockMailing(tx, workspace, id);
        const found = await lockCampaign(tx, workspace, id);
        if (found === null) return "not found";
        if (!found.held) return "not held";
        await releaseHold(tx, found.seq, mailing, now);
        return "released";
      });
    },
  };
}
