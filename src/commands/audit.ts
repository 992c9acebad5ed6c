import { isoOrNull } from "#core/time/iso.ts";
import type { AuditEntry } from "#audit/entry.ts";
import { PLACE, type Call, type Command } from "#commands/line/command.ts";
import { printList, timeText } from "#commands/line/printing.ts";
import { inWorkspace, withServices } from "./open.ts";

export const auditList: Command = {
  name: "audit list",
  says: "Lists who did what in a workspace, newest first.",
  operands: [],
  flags: [
    { name: "strangers", value: "", says: "Instead: failed sign-ins with addresses that nobody has." },
    ...PLACE,
  ],
  takesJson: true,
  notes: ["WHO is an address, `key NAME` or `command line`. Kept for a year. GET /audit answers the same."],
  example: "audit list",
  run: (call) =>
    call.flags.strangers === undefined
      ? inWorkspace(call, ({ audit }, workspaceId) => print(call, audit.entries(workspaceId)))
      : withServices(call, ({ audit }) => print(call, audit.entries(null))),
};

const print = (call: Call, entries: AsyncIterable<AuditEntry>): Promise<void> =>
  printList(
    call,
    entries,
    ({ at, who, what, target }) => ({ at: isoOrNull(at), who, what, target }),
    [
      { title: "AT", of: ({ at }) => timeText(at) },
      { title: "WHAT", of: ({ what }) => what },
      { title: "WHO", of: ({ who }) => who },
      { title: "TARGET", of: ({ target }) => target ?? "" },
    ],
    "Nothing is recorded yet.",
  );
