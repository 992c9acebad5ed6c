import { errorCode, NO_ROOM_TO_READ } from "#core/errors/error-code.ts";
import { StorageError, type StorageTrouble } from "#core/errors/storage-error.ts";
import { errorText } from "#core/errors/thrown.ts";
import { systemWords } from "#core/errors/system-words.ts";

const FULL = "The database cannot be written: its disk is full. Make room, and run the same command again.";

/** Where the server's words would be false: it goes on by itself, but a command has ended. */
const ENDED: Partial<Record<StorageTrouble, string>> = {
  full: FULL,
  displaced:
    "The database cannot be written: its file was moved, removed or replaced. Put it back, and run the same command again.",
  unreachable:
    "The database does not answer. When it does, look whether this was done, and run the command again if not.",
};

/** What a command says of what stopped it. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return errorText(error);
  if (error instanceof StorageError) return ENDED[error.trouble] ?? error.message;
  // SQLite's own words, also in an error that puts the name of a file before them.
  if (error.message.includes("database or disk is full")) return FULL;
  const code = errorCode(error);
  if (code === NO_ROOM_TO_READ) return FULL;
  if (code === "SQLITE_CORRUPT" || code === "SQLITE_NOTADB")
    return `the database is damaged, or its disk cannot be read (${error.message}): stop the server, and run \`postrider doctor\`; put a backup in its place only if that says damaged too`;
  return systemWords(error) ?? error.message;
}
