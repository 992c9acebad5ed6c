import type { MailingContent } from "#deliveries/ledger.ts";
import { contentUnder } from "#deliveries/mailing-content.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { CampaignLetter } from "#campaigns/options/options.ts";

/** A campaign, and the list that its mail names. */
export type LetterToFreeze = CampaignLetter & { readonly list: MailingContent["list"] };

/**
 * What a campaign sends under the workspace's settings: its own sender and tracking, if it has them, and what the
 * composer needs to make the letter.
 */
export function frozenLetter(
  settings: Settings,
  { name, options, ...letter }: LetterToFreeze,
): MailingContent {
  const { fromName, fromEmail, replyTo, trackOpens, trackClicks } = options;
  const { format, personalize, preheader, text, utm } = options;
  const own = {
    ...settings,
    fromName: fromName ?? settings.fromName,
    fromEmail: fromEmail ?? settings.fromEmail,
    replyTo: replyTo ?? settings.replyTo,
    trackOpens: trackOpens ?? settings.trackOpens,
    trackClicks: trackClicks ?? settings.trackClicks,
  };
  return {
    ...contentUnder(own, letter),
    options: { format, personalize, preheader, text, utm },
    campaign: { name },
  };
}
