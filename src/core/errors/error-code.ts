/** Our code of an error: the file is a database of another program, or none at all. */
export const NOT_OURS = "NOT_OURS";

/** The code that the system or SQLite gave an error (`ENOENT`, `SQLITE_BUSY`); empty where it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";
