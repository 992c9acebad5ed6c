/** Our code of an error: the file is a database of another program, or none at all. */
export const NOT_OURS = "NOT_OURS";

/** The code that the system or SQLite gave an error (`ENOENT`, `SQLITE_BUSY`); empty where it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Whether nothing can stand at a path: a part of it is a file, or its links lead in a circle. */
export const isNoPath = (error: unknown): boolean => ["ENOTDIR", "ELOOP"].includes(errorCode(error));

/**
 * Codes of a disk that is full. SHMSIZE is one too: with no room for the index of its log, SQLite cannot even read, and says
 * "disk I/O error".
 */
export const FULL_DISK = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/;
