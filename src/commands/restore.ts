import { resolve } from "node:path";
import { databasePath, lockServer, restore as restoreDatabase } from "#app.ts";
import { readDataDirectory } from "#config.ts";
import { unwrap } from "#core/errors.ts";
import { DATA_DIR, type Command } from "./command.ts";
import { printResult, timeText, timeWire } from "./tables.ts";

export const restore: Command = {
  name: "restore",
  says: "Puts a backup in the place of the database. No server may be running.",
  operands: ["FILE"],
  flags: [
    {
      name: "force",
      value: "",
      says: "Replace a database that is there; its file is kept beside the new one.",
    },
    DATA_DIR,
  ],
  takesJson: true,
  notes: [
    "The file is checked first; where it is damaged, or no backup, nothing changes. Older schemas are brought up at the next start.",
    "Campaigns that were under way or are overdue are held at the next start: their mail may have gone out after the backup",
    "was made. Let them go one by one with `postrider campaign release ID`.",
  ],
  example: "restore /var/backups/postrider-2026-11-21.db --force",
  async run(call) {
    const dataDir = unwrap(readDataDirectory(call));
    const path = databasePath(dataDir);
    const lock = unwrap(lockServer(dataDir, call.clock.now()));
    try {
      const { kept, lastRunAt, contacts, workspaces, pending } = restoreDatabase(
        resolve(call.operands[0]!),
        path,
        call.flags.force !== undefined,
      );
      await printResult(
        call,
        { file: resolve(path), kept, contacts, workspaces, lastRunAt: timeWire(lastRunAt), pending },
        [
          `${resolve(path)}: ${workspaces} workspaces, ${contacts} contacts; its server last started ${timeText(lastRunAt) || "never"}`,
          ...(kept === null ? [] : [`The database that was there is now ${resolve(kept)}`]),
          "What was being sent, or is overdue, is held at the next start until `postrider campaign release ID`.",
        ].join("\n"),
      );
    } finally {
      lock.release();
    }
  },
};
