import { expectedBytes } from "#mail/letter/letter-size.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { frozenLetter } from "#campaigns/send/frozen-letter.ts";
import type { CampaignStore } from "#campaigns/store.ts";
import { campaignWarnings } from "./warnings.ts";

/** What the author of a letter probably did not intend, under the workspace's current settings. */
export type WarningsOf = (workspaceId: string, campaignId: string) => Promise<readonly string[]>;

export function warningService(parts: {
  campaigns: Pick<CampaignStore, "letter">;
  workspaces: Pick<WorkspaceStore, "settings">;
  baseUrl: string;
}): WarningsOf {
  const { campaigns, workspaces, baseUrl } = parts;
  return async (workspaceId, campaignId) => {
    const letter = await campaigns.letter(workspaceId, campaignId);
    if (letter === null) return [];
    const content = frozenLetter(await workspaces.settings(workspaceId), { ...letter, list: null });
    const { subject, html: body, options } = letter;
    const { preheader, text, personalize: isLiquid } = options;
    const bytes = expectedBytes({ ...content, baseUrl });
    return campaignWarnings({ subject, preheader, body, text, isLiquid, bytes });
  };
}
