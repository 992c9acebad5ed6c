import type { Settings } from "#workspaces/settings/settings.ts";
import { mailTemplate, type FilledMail, type MailTemplate } from "./mail-content.ts";
import { nodeLetter, type NodeLetter } from "./mail-plan.ts";

/** The mail of a node, with its templates read. */
export type ReadyMail = MailTemplate & {
  /** Its letter under these settings; made once for all runs under the same settings. */
  letterUnder(settings: Settings): NodeLetter;
};

export function readyMail(nodeId: string, content: FilledMail): ReadyMail {
  let latest: { readonly settings: Settings; readonly letter: NodeLetter } | null = null;
  return {
    ...mailTemplate(content),
    letterUnder(settings) {
      if (latest?.settings !== settings) latest = { settings, letter: nodeLetter(nodeId, content, settings) };
      return latest.letter;
    },
  };
}
