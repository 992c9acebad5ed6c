import { PLACE, type Command } from "./command.ts";
import { inWorkspace } from "./open.ts";
import { printList, timeText, timeWire } from "./tables.ts";

export const consentList: Command = {
  name: "consent list",
  says: "Lists who agreed to marketing mail or withdrew, newest first.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  notes: ["The log outlives its contacts; contactId is empty where there never was one."],
  example: "consent list --json",
  run: (call) =>
    inWorkspace(call, ({ contacts }, workspaceId) =>
      printList(
        call,
        contacts.consentLog(workspaceId),
        ({ email, contactId, action, source, at }) => ({
          email,
          contactId,
          action,
          source,
          at: timeWire(at),
        }),
        [
          { title: "AT", of: (entry) => timeText(entry.at) },
          { title: "ACTION", of: (entry) => entry.action },
          { title: "SOURCE", of: (entry) => entry.source },
          { title: "EMAIL", of: (entry) => entry.email },
        ],
        "Nobody has agreed or withdrawn yet.",
      ),
    ),
};
