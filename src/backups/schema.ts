import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, longInteger, nullable, timestamp } from "#http/envelope.ts";
import type { Backup } from "./backup.ts";

/** The wire shapes of backups (docs/contract.md "Backups"). */

export const backupSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["bak_01kafc8w2t5m9h4q7z3r6xndbv"] }),
    state: Type.String({
      enum: ["RUNNING", "DONE", "FAILED"],
      description: "RUNNING: being made. DONE: whole, checked, and on the disk.",
      examples: ["DONE"],
    }),
    createdAt: timestamp("When it was begun: it holds what was there then."),
    sizeBytes: nullable(
      longInteger({ minimum: 0, description: "Of one that is DONE.", examples: [52_428_800] }),
    ),
    progress: nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Of one that is RUNNING: the part that is copied, about.",
        examples: [null],
      }),
    ),
    error: nullable(Type.String({ description: "Of one that FAILED: why.", examples: [null] })),
  },
  { ...exact, $id: "Backup", description: "A copy of the whole database, with every workspace." },
);

export const backupListSchema = Type.Array(backupSchema, { description: "All of them, newest first." });

export const backupFile = Type.String({
  $id: "BackupFile",
  description: "The bytes of an SQLite database, as `postrider restore` takes them.",
  examples: ["SQLite format 3"],
});

export const unlockBody = Type.Object(
  { password: Type.String({ description: "The present password.", examples: ["four plain words here"] }) },
  {
    $id: "BackupUnlock",
    description: "The present password, because a session alone must not give access to a backup.",
  },
);

export const unlockedSchema = Type.Object(
  { until: timestamp("Until when the download may begin. It may last longer.") },
  { ...exact, $id: "BackupUnlocked", description: "The session may download this backup." },
);

export const backupWire = ({ createdAt, ...backup }: Backup) => ({ ...backup, createdAt: isoOf(createdAt) });
