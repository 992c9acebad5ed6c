/** Our code of an error: the file is a database of another program, or none at all. */
export const NOT_OURS = "NOT_OURS";

/** The code that the system or SQLite gave an error (`ENOENT`, `SQLITE_BUSY`); empty where it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Whether nothing can stand at a path: a part of it is a file, or its links lead in a circle. */
export const isNoPath = (error: unknown): boolean => ["ENOTDIR", "ELOOP"].includes(errorCode(error));

/** With no room for the index of its log, SQLite cannot even read, and says "disk I/O error". */
export const NO_ROOM_TO_READ = "SQLITE_IOERR_SHMSIZE";

/** Codes of a disk that is full. */
export const FULL_DISK = new RegExp(`^(SQLITE_FULL|${NO_ROOM_TO_READ}|ENOSPC|EDQUOT)`);
