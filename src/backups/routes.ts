import { isoOf } from "#core/time/iso.ts";
import { dataOf } from "#http/envelope.ts";
import { noContent, ok, route, type Route } from "#http/routes/route.ts";
import { RATE_LIMITED } from "#sessions/schema.ts";
import { downloadName } from "./backup.ts";
import { FOREIGN_UNLOCK_FIELDS } from "./foreign-names.ts";
import {
  backupFile,
  backupListSchema,
  backupSchema,
  backupWire,
  unlockBody,
  unlockedSchema,
} from "./schema.ts";
import type { BackupService } from "./service.ts";

const SQLITE = "application/vnd.sqlite3";
const FORBIDDEN = "The person does not own every workspace of this server.";
const NOT_FOUND = "There is no such backup.";
const WRONG_STATE = "The backup is not DONE.";
const errors = { FORBIDDEN, NOT_FOUND };

/** /backups (docs/contract.md "Backups"; docs/decisions.md "Backups"). */
export const backupRoutes = (backups: BackupService): Route[] => [
  ...collection(backups),
  ...single(backups),
  ...downloading(backups),
];

const collection = (backups: BackupService): Route[] => [
  route({
    method: "GET",
    path: "/backups",
    access: "person",
    summary: "List backups",
    description:
      "Newest first, without pages: the last 3 that are DONE are kept, and one that FAILED until the next begins. For people who own every workspace.",
    answers: { 200: dataOf(backupListSchema) },
    errors: { FORBIDDEN },
    handle: async (call) => ok((await backups.list(call.person)).map(backupWire)),
  }),
  route({
    method: "POST",
    path: "/backups",
    operationId: "createBackup",
    access: "person",
    summary: "Make a backup",
    description:
      "Copies the database while the server works, and checks the copy. It holds every workspace, so only a person who owns all of them may make one.",
    answers: { 202: dataOf(backupSchema) },
    says: { 202: "It is being made. `GET /backups/{id}` tells how far it is." },
    errors: { FORBIDDEN, CONFLICT: "Another one is being made." },
    handle: async (call) => ({ status: 202, body: { data: backupWire(await backups.make(call.person)) } }),
  }),
];

const single = (backups: BackupService): Route[] => [
  route({
    method: "GET",
    path: "/backups/:id",
    access: "person",
    summary: "Read how far a backup is",
    description: "As in the list.",
    answers: { 200: dataOf(backupSchema) },
    errors,
    handle: async (call) => ok(backupWire(await backups.find(call.person, call.params.id))),
  }),
  route({
    method: "DELETE",
    path: "/backups/:id",
    access: "person",
    summary: "Delete a backup",
    description: "A running download continues.",
    answers: { 204: null },
    errors: { ...errors, WRONG_STATE: "The backup is RUNNING." },
    handle: async (call) => {
      await backups.remove(call.person, call.params.id);
      return noContent();
    },
  }),
];

const downloading = (backups: BackupService): Route[] => [
  route({
    method: "POST",
    path: "/backups/:id/unlock",
    operationId: "openBackup",
    access: "person",
    summary: "Allow this session to download a backup",
    description:
      "For five minutes, with the person's password. A wrong one counts as a failed sign-in. Another backup needs another call.",
    body: unlockBody,
    foreign: { body: FOREIGN_UNLOCK_FIELDS },
    answers: { 200: dataOf(unlockedSchema) },
    errors: { ...errors, RATE_LIMITED, WRONG_STATE },
    handle: async (call) => {
      const { id } = call.params;
      const readPassword = () => call.body().password;
      return ok({ until: isoOf(await backups.unlock(call.person, id, readPassword, call.clientAddress)) });
    },
  }),
  route({
    method: "GET",
    path: "/backups/:id/file",
    operationId: "getBackupFile",
    access: "person",
    summary: "Download a backup",
    description: "The session that unlocked it, within five minutes. `postrider restore` takes the file.",
    answers: { 200: null },
    content: { [SQLITE]: backupFile },
    says: { 200: "The file, sent while it is read." },
    errors: {
      FORBIDDEN: `${FORBIDDEN} Or the session has not unlocked this backup.`,
      NOT_FOUND,
      WRONG_STATE,
    },
    handle: async (call) => {
      const { backup, bytes } = await backups.read(call.person, call.params.id);
      return {
        status: 200,
        stream: bytes,
        headers: {
          "Content-Type": SQLITE,
          "Content-Disposition": `attachment; filename="${downloadName(backup)}"`,
          "X-Content-Type-Options": "nosniff",
        },
      };
    },
  }),
];
