import type { Settings } from "#workspaces/settings/settings.ts";
import type { MailingContent } from "./ledger.ts";

/**
 * A letter with the workspace's settings for all marketing mail: the sender, the addresses, and what is
 * tracked.
 */
export function contentUnder(
  settings: Settings,
  letter: Pick<MailingContent, "subject" | "html" | "list">,
): MailingContent {
  return {
    subject: letter.subject,
    html: letter.html,
    from: { name: settings.fromName, address: settings.fromEmail },
    replyTo: settings.replyTo === "" ? null : settings.replyTo,
    workspaceName: settings.name,
    mailingAddress: settings.mailingAddress,
    list: letter.list,
    trackOpens: settings.trackOpens,
    trackClicks: settings.trackClicks,
    language: settings.language,
  };
}
