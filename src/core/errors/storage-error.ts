import { AppError } from "./errors.ts";

const SAYS = {
  full: "The database cannot be written: its disk is full. Make room; everything that waits goes on by itself.",
  locked: "The database cannot be written: another process keeps it locked. Try again in a moment.",
  "read-only":
    "The database cannot be written: its file or its disk is read-only. Let the server write both, and start it again.",
  displaced:
    "The database cannot be written: its file was moved, removed or replaced. Put it back; everything that waits goes on by itself.",
  "set read-only": "The database cannot be written: PostgreSQL is set read-only, or is a standby.",
  stopped:
    "The database stopped this, because it took too long. If PostgreSQL's statement_timeout is set, raise it for Postrider's role.",
  failing: "The database cannot be read or written: its disk reports an error.",
  unopened:
    "A file of the database cannot be opened. See that the server may open it, and more files at once (ulimit -n); everything that waits goes on by itself.",
  unreachable: "The database does not answer. Try again; everything that waits goes on when it does.",
  // SQLite says the same of a file that is damaged and of one read that failed.
  damaged:
    "The database is damaged, or its disk cannot be read. Stop the server, and run `postrider doctor`. Put a backup in its place with `postrider restore` only if that says damaged too.",
} as const;

export type StorageTrouble = keyof typeof SAYS;

/** Who had the lock for longer than a write waits (30 seconds) seldom ends at once. */
const LOCKED_AGAIN_S = 10;

/**
 * The database failed; the request was fine. Nothing of the request was written. Except with `unreachable`: the
 * connection may have broken before the answer came, so nobody knows. The message may be shown to anybody.
 */
export class StorageError extends AppError {
  constructor(
    readonly trouble: StorageTrouble,
    cause: unknown,
  ) {
    // Only of this is it known that the same may succeed soon, and that nothing of it was written.
    const [code, retry] =
      trouble === "locked"
        ? (["UNAVAILABLE", { retryAfterS: LOCKED_AGAIN_S }] as const)
        : (["INTERNAL_ERROR", {}] as const);
    super(code, SAYS[trouble], { cause, ...retry });
    this.name = "StorageError";
  }
}

export const isFull = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.trouble === "full";

/** The database works: another transaction has the lock, or this statement took longer than it may. Others may succeed. */
export const isOfOne = ({ trouble }: StorageError): boolean => trouble === "locked" || trouble === "stopped";

/** Whether the database gave no answer: nobody knows what was written. */
export const isUnreachable = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.trouble === "unreachable";

/** Throws the same again, but a lock that was waited for in vain as any other trouble: `INTERNAL_ERROR`. */
export function withoutRetry(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== "UNAVAILABLE") throw error;
  throw new AppError("INTERNAL_ERROR", error.message, { cause: error });
}
