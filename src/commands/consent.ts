import { isoOrNull } from "#core/time/iso.ts";
import { PLACE, type Command } from "#commands/line/command.ts";
import { inWorkspace } from "./open.ts";
import { printList, timeText } from "#commands/line/printing.ts";

export const consentList: Command = {
  name: "consent list",
  says: "Lists who agreed to marketing mail or withdrew, newest first.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  notes: [
    "Entries stay when a contact is deleted; contactId is empty if there never was a contact.",
    "REASON is what a reader wrote on the unsubscribe page; with --json it is there only if they wrote something.",
  ],
  example: "consent list --json",
  run: (call) =>
    inWorkspace(call, ({ contacts }, workspaceId) =>
      printList(
        call,
        contacts.consentLog(workspaceId),
        ({ email, contactId, action, source, at, reason }) => ({
          email,
          contactId,
          action,
          source,
          at: isoOrNull(at),
          ...(reason ? { reason } : {}),
        }),
        [
          { title: "AT", of: (entry) => timeText(entry.at) },
          { title: "ACTION", of: (entry) => entry.action },
          { title: "SOURCE", of: (entry) => entry.source },
          { title: "EMAIL", of: (entry) => entry.email },
          { title: "REASON", of: ({ reason }) => onOneLine(reason ?? "") },
        ],
        "Nobody has agreed or withdrawn yet.",
      ),
    ),
};

/**
 * Strangers write the reasons, so a reason must not move the cursor, begin a new line or change the direction
 * of the text.
 */
const onOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\s]+/gu, " ").trim();
