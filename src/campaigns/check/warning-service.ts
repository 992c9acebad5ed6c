import { mjmlJob } from "#mail/letter/letter-options.ts";
import { expectedBytes } from "#mail/letter/letter-size.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { frozenLetter } from "#campaigns/send/frozen-letter.ts";
import type { CampaignStore } from "#campaigns/store.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import type { HtmlAtHand } from "#work/kept-mjml.ts";
import { WorkLate, type Work } from "#work/pool.ts";
import { campaignWarnings } from "./warnings.ts";

/** What the author of a letter probably did not intend, under the workspace's current settings. */
export type WarningsOf = (workspaceId: string, campaignId: string) => Promise<readonly string[]>;

export type CampaignWarnings = {
  /** Compiles the letter, which can take long: once, before a send. */
  readonly warningsOf: WarningsOf;
  /** For a report, which is read each second: MJML has a size only while its HTML is at hand. */
  readonly warningsAtHand: WarningsOf;
};

type HtmlOf = (workspaceId: string, content: MailingContent) => Promise<string | null>;

export function warningService(parts: {
  campaigns: Pick<CampaignStore, "letter">;
  workspaces: Pick<WorkspaceStore, "settings">;
  work: Pick<Work, "run"> & { readonly htmlAtHand: HtmlAtHand };
  baseUrl: string;
}): CampaignWarnings {
  const { campaigns, workspaces, work, baseUrl } = parts;
  const warningsBy =
    (htmlOf: HtmlOf): WarningsOf =>
    async (workspaceId, campaignId) => {
      const letter = await campaigns.letter(workspaceId, campaignId);
      if (letter === null) return [];
      const content = frozenLetter(await workspaces.settings(workspaceId), { ...letter, list: null });
      const { subject, html: body, options } = letter;
      const { preheader, text, personalize: isLiquid, format } = options;
      const html = format === "mjml" ? await htmlOf(workspaceId, content) : content.html;
      // A letter that cannot be compiled, or not now, has no size.
      const bytes = html === null ? 0 : expectedBytes({ ...content, html, baseUrl });
      return campaignWarnings({ subject, preheader, body, text, isLiquid, bytes });
    };
  return {
    warningsOf: warningsBy((workspaceId, content) => compiledHtml(work, workspaceId, content)),
    warningsAtHand: warningsBy(async (_, { html, options }) =>
      options === undefined ? null : work.htmlAtHand(options, html),
    ),
  };
}

/** The HTML that goes out: MJML is often several times as long once it is compiled. */
async function compiledHtml(
  work: Pick<Work, "run">,
  workspaceId: string,
  { html, options }: MailingContent,
): Promise<string | null> {
  if (options === undefined) return null;
  try {
    const compiled = await work.run(workspaceId, mjmlJob(options), html);
    return compiled.ok ? compiled.value : null;
  } catch (error) {
    if (error instanceof WorkLate) return null;
    throw error;
  }
}
