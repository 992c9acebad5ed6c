import { resolve } from "node:path";
import { counted } from "#core/text/text.ts";
import { backUp, unfinishedOf } from "#app/database.ts";
import { firstOperand, DATA_DIR, type Command } from "#commands/line/command.ts";
import { directoryOf, presentDatabase } from "./open.ts";
import { progressBar } from "#commands/line/progress.ts";
import { printResult } from "#commands/line/printing.ts";
import { checkDirectoryOf, withUnfinished } from "#commands/line/unfinished-files.ts";

export const backup: Command = {
  name: "backup",
  says: "Copies the database into a new file and checks it, also while the server runs.",
  operands: ["FILE"],
  flags: [DATA_DIR],
  takesJson: true,
  notes: [
    "Never copy the database file itself while a server runs: the newest changes are in another file and would be missing.",
    "A backup holds everything except captured mail and the DKIM key's file: people, sending history, uploaded images and the secret that signs links.",
  ],
  example: "backup /var/backups/postrider-2026-11-21.db",
  async run(call) {
    const file = resolve(firstOperand(call));
    directoryOf(call, "back it up with pg_dump, or with a base backup and its WAL");
    const path = presentDatabase(call);
    checkDirectoryOf(file);
    const bar = progressBar(call.clock, call.output);
    const work = {
      clock: call.clock,
      onProgress: (share: number | null) =>
        bar.show(share ?? 1, share === null ? "copied; the copy is being checked" : "copied"),
    };
    const { bytes, contacts } = await withUnfinished(unfinishedOf(file), () =>
      backUp(path, file, work),
    ).finally(bar.end);
    await printResult(
      call,
      { file, bytes, contacts },
      `${file}: ${(bytes / 1024 / 1024).toFixed(1)} MiB, ${counted(contacts, "contact", "contacts")}, checked`,
    );
  },
};
