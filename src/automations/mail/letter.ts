import type { LedgerStore } from "#deliveries/store.ts";
import type { LetterOf, LetterSource } from "#deliveries/letter.ts";
import { letterShapes } from "#deliveries/letters/letter-shapes.ts";
import { personalLetter } from "#deliveries/letters/personal-letter.ts";
import { oneAfterAnother } from "#core/time/event-loop.ts";
import type { RunStore } from "#automations/run/store.ts";
import { senderOfToday } from "#workspaces/signing.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { liquidScope } from "./mail-content.ts";

/**
 * The letters of automations. Liquid is filled in when a message goes out, with the contact's values of that
 * moment and the event that started the run. The sender is the one that the letter was planned with, as long
 * as it can be signed.
 */
export function automationLetters(
  runs: Pick<RunStore, "liquidSource">,
  ledger: Pick<LedgerStore, "content" | "saveMessageLinks">,
  workspaces: Pick<WorkspaceStore, "settings">,
  source: LetterSource,
): LetterOf {
  const shapes = letterShapes();
  return async (mailing) => {
    const content = await ledger.content(mailing.number);
    const from = senderOfToday(await workspaces.settings(mailing.workspaceId), content.from);
    return personalLetter(
      mailing,
      { ...content, from },
      {
        ...source,
        // What was compiled has its sender in it.
        shapes: from === content.from ? shapes : letterShapes(),
        inTurn: oneAfterAnother(),
        needsPeople: false,
        hasReaderUrls: false,
        async valuesFor(message) {
          const found = await runs.liquidSource(message.number);
          return found && { scope: liquidScope(found), kept: null };
        },
        keep: ({ number }, { links }) => ledger.saveMessageLinks(mailing.number, number, links),
      },
    );
  };
}
