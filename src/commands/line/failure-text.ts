import { capitalLetter } from "#core/text/capital-letter.ts";
import { errorCode, NO_ROOM_TO_READ } from "#core/errors/error-code.ts";
import { StorageError, type StorageTrouble } from "#core/errors/storage-error.ts";
import { errorText } from "#core/errors/thrown.ts";
import { READ_ONLY_ADVICE, systemWords } from "#core/errors/system-words.ts";

const LOOK_AND_AGAIN = "look at the disk and at the system's log, then run the same command again";

const FULL = "The database cannot be written: its disk is full. Make room, and run the same command again.";

/** Where the server's words would be false: it goes on by itself, but a command has ended. */
const ENDED: Partial<Record<StorageTrouble, string>> = {
  full: FULL,
  displaced:
    "The database cannot be written: its file was moved, removed or replaced. Put it back, and run the same command again.",
  "read-only":
    "The database cannot be written: its file or its disk is read-only. Let this user write both, and run the same command again.",
  failing: `The database cannot be read or written: its disk reports an error. ${capitalLetter(LOOK_AND_AGAIN)}.`,
  unopened:
    "A file of the database cannot be opened. See that this user may open it, and that this process may open more files (ulimit -n).",
  unreachable:
    "The database does not answer. When it does, look whether this was done, and run the command again if not.",
};

/** What to do where the system's refusal does not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  EIO: LOOK_AND_AGAIN,
  EROFS: READ_ONLY_ADVICE,
  EMFILE: "let it open more (ulimit -n)",
  EXDEV: "mount its directory instead",
  EBUSY: "end what uses it, or mount its directory instead of the file",
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
  // SQLite's own words name neither the file nor a way on.
  if (code.startsWith("SQLITE_IOERR"))
    return `the database cannot be read or written: its disk reports an error (${error.message}). ${capitalLetter(LOOK_AND_AGAIN)}`;
  if (code.startsWith("SQLITE_CANTOPEN"))
    return `a file of the database cannot be opened (${error.message}): see that this user may open it, that its disk works, and that this process may open more files (ulimit -n)`;
  const words = systemWords(error);
  const advice = ADVICE[code];
  return words === null ? error.message : advice === undefined ? words : `${words}: ${advice}`;
}
