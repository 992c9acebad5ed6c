import type { Settings } from "#workspaces/settings.ts";
import type { MailingContent } from "./ledger.ts";

/** A letter with what the workspace's settings say of every marketing mail: who sends, where from, and what is tracked. */
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
  };
}
