import { isoOrNull } from "#core/time/iso.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { databasePath, lockServer, restore as restoreDatabase } from "#app/database.ts";
import { unwrap } from "#core/errors/errors.ts";
import { counted } from "#core/text/text.ts";
import { firstOperand, DATA_DIR, UsageError, type Call, type Command } from "#commands/line/command.ts";
import { failureText } from "#commands/line/failure-text.ts";
import { directoryOf } from "./open.ts";
import { printList, printResult, timeText, type Column } from "#commands/line/printing.ts";

export const restore: Command = {
  name: "restore",
  says: "Replaces the database with a backup. Stop the server first.",
  operands: ["FILE"],
  flags: [
    {
      name: "force",
      value: "",
      says: "Replace an existing database; its file is kept next to the new one.",
    },
    DATA_DIR,
  ],
  takesJson: true,
  notes: [
    "The file is checked first. If it is damaged or not a backup, nothing changes. An older schema is upgraded at the next start.",
    "It is also refused if its schema is not as Postrider made it: a foreign trigger would run with every write.",
    "Campaigns that were being sent and all schedules, even future ones, are held at the next start: their mail may",
    "have gone out after the backup was made. All of it is listed. Release them one by one with `postrider campaign release ID`.",
    "Live automations are paused for the same reason; mail that they or forms had queued waits for",
    "`postrider automation release ID` and `postrider form release ID`. Webhooks wait until they are enabled with the API.",
    "People, roles, passwords and second factors are those of the backup: who was removed since may enter again. API keys",
    "that were revoked since stay revoked, and people who left since stay out, only if the database that is replaced can be",
    "read. To have the people back too, because they were taken off by mistake, move that database away first.",
    "Mailboxes are not read until `postrider settings set bounceMailbox=…`: their mail may be for a server that still runs.",
  ],
  example: "restore --data-dir /var/lib/postrider /var/backups/postrider-2026-11-21.db --force",
  async run(call) {
    const dataDir = directoryOf(call, "restore it with pg_restore, and start the server");
    checkMeant(call, dataDir);
    const path = resolve(databasePath(dataDir));
    const lock = unwrap(lockServer(dataDir, call.clock.now(), "restore"));
    let done = lock.lastEndWasClean;
    try {
      const restored = restoreDatabase(firstOperand(call), path, call.flags.force !== undefined);
      done = true;
      const held = restored.held.map((each) => ({ ...each, scheduledAt: isoOrNull(each.scheduledAt) }));
      const { notRemoved, ...told } = restored;
      const wire = { file: path, ...told, lastRunAt: isoOrNull(restored.lastRunAt), held };
      await printResult(call, wire, report(firstOperand(call), path, restored));
      if (!call.json && held.length > 0) await printList(call, restored.held, (each) => each, COLUMNS, "");
      if (notRemoved !== null)
        call.output.warn(
          `the database is restored, but a file of its copy is left: ${failureText(notRemoved)}`,
        );
    } finally {
      // If the database was not replaced and a crash left it, it must still be checked. So the mark of that crash
      // stays: the lock is kept until the process ends.
      if (done) lock.release();
    }
  },
};

/** It makes the directory that is named. One that is only the default may be a slip: the server's is elsewhere. */
function checkMeant({ flags, environment }: Call, dataDir: string): void {
  const isNamed = Boolean(flags["data-dir"] ?? environment["DATA_DIR"]);
  if (!isNamed && !existsSync(dataDir))
    throw new UsageError(
      `there is no ${dataDir} here: name the server's directory with --data-dir; on a new machine, --data-dir ${dataDir} makes it`,
    );
}

type Restored = ReturnType<typeof restoreDatabase>;

const COLUMNS: readonly Column<Restored["held"][number]>[] = [
  { title: "HELD", of: ({ kind }) => kind },
  { title: "ID", of: ({ id }) => id },
  { title: "WHY", of: ({ why }) => why },
  { title: "TIME", of: ({ scheduledAt }) => timeText(scheduledAt) },
  { title: "WORKSPACE", of: ({ workspaceId }) => workspaceId },
  { title: "NAME", of: ({ name }) => name },
];

function report(file: string, path: string, restored: Restored) {
  const { kept, lastRunAt, contacts, workspaces, held } = restored;
  return [
    `${file} is restored as ${path}: ${counted(workspaces, "workspace", "workspaces")}, ${counted(contacts, "contact", "contacts")}; its server last started ${timeText(lastRunAt) || "never"}`,
    ...(kept === null ? [] : [`The database that was there is now ${kept}`]),
    ...access(restored),
    held.length === 0
      ? "It has nothing under way or scheduled, so the next start has nothing to hold. What was held when the backup was made is held still."
      : "At the next start live automations are paused, webhooks wait until they are enabled, and mailboxes are not read until the setting bounceMailbox is set again. Campaigns, and mail that automations and forms have queued, are held until `postrider campaign release ID` (automation release, form release). All of it:",
  ].join("\n");
}

/** Who may enter is as it was, and so is who may be mailed, which nobody sees by looking. */
const access = ({ revokedKeys, optOuts }: Restored): string[] => [
  "People, roles, passwords and second factors are those of the backup: who was removed since may enter again with the old password (see `postrider user list`, `user remove`, `user reset`). Everybody has to sign in again.",
  revokedKeys === null
    ? "API keys that were revoked since then are good again: see `postrider key list`, and revoke them once more."
    : `${counted(revokedKeys, "API key that was revoked since then stays", "API keys that were revoked since then stay")} revoked.`,
  optOuts === null
    ? "Who left, complained, bounced or was suppressed since the backup is as it says, and may be mailed again: suppress them anew before you release or send anything."
    : `${counted(optOuts, "address that left, bounced or was suppressed since then stays", "addresses that left, bounced or were suppressed since then stay")} out.`,
];
