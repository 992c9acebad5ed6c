import { mjmlJob } from "#mail/letter/letter-options.ts";
import { expectedBytes } from "#mail/letter/letter-size.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { frozenLetter } from "#campaigns/send/frozen-letter.ts";
import type { CampaignStore } from "#campaigns/store.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import { WorkLate, type Work } from "#work/pool.ts";
import { campaignWarnings } from "./warnings.ts";

/** What the author of a letter probably did not intend, under the workspace's current settings. */
export type WarningsOf = (workspaceId: string, campaignId: string) => Promise<readonly string[]>;

export function warningService(parts: {
  campaigns: Pick<CampaignStore, "letter">;
  workspaces: Pick<WorkspaceStore, "settings">;
  work: Pick<Work, "run">;
  baseUrl: string;
}): WarningsOf {
  const { campaigns, workspaces, work, baseUrl } = parts;
  return async (workspaceId, campaignId) => {
    const letter = await campaigns.letter(workspaceId, campaignId);
    if (letter === null) return [];
    const content = frozenLetter(await workspaces.settings(workspaceId), { ...letter, list: null });
    const { subject, html: body, options } = letter;
    const { preheader, text, personalize: isLiquid } = options;
    const html = await deliveredHtml(work, workspaceId, content);
    // A letter that cannot be compiled, or not now, has no size.
    const bytes = html === null ? 0 : expectedBytes({ ...content, html, baseUrl });
    return campaignWarnings({ subject, preheader, body, text, isLiquid, bytes });
  };
}

/** The HTML that goes out: MJML is often several times as long once it is compiled. */
async function deliveredHtml(
  work: Pick<Work, "run">,
  workspaceId: string,
  { html, options }: MailingContent,
): Promise<string | null> {
  if (options?.format !== "mjml") return html;
  try {
    const compiled = await work.run(workspaceId, mjmlJob(options), html);
    return compiled.ok ? compiled.value : null;
  } catch (error) {
    if (error instanceof WorkLate) return null;
    throw error;
  }
}
