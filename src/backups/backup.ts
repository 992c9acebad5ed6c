import type { Instant } from "#core/clock.ts";

/** So many that are whole are kept; with a further one the oldest goes. Each is as large as the database. */
export const BACKUPS_KEPT = 3;

export type BackupState = "RUNNING" | "DONE" | "FAILED";

/** A copy of the whole database, every workspace of it, that was asked for by API. */
export type Backup = {
  readonly id: string;
  readonly state: BackupState;
  readonly createdAt: Instant;
  /** Of one that is DONE. */
  readonly sizeBytes: number | null;
  /** The part that is copied, about, 0 to 1, of one that is RUNNING. */
  readonly progress: number | null;
  /** Why it FAILED, for a person. */
  readonly error: string | null;
};

/** What a file of the directory of backups is. */
export type NamedFile = { readonly id: string; readonly createdAt: Instant; readonly kind: FileKind };

/**
 * `db`: whole, and on the disk. `db.part`: being made, with a journal beside it. `failed`: empty, in place of one
 * that was cut off.
 */
type FileKind = "db" | "db.part" | "db.part-journal" | "failed";

const NAME =
  /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z-(bak_[0-9a-z]{26})\.(db|db\.part|db\.part-journal|failed)$/;

/** Without its kind: the time comes first, so that a listing of the directory is in order. */
export const fileStem = ({ id, createdAt }: Pick<Backup, "id" | "createdAt">): string =>
  `${new Date(createdAt).toISOString().replaceAll(/[-:]/g, "")}-${id}`;

/** Null: it is none of ours. */
export function parseFileName(name: string): NamedFile | null {
  const [, year, month, day, hour, minute, second, id, kind] = NAME.exec(name) ?? [];
  if (id === undefined) return null;
  const createdAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(createdAt) ? null : { id, createdAt, kind: kind as FileKind };
}

/** How a browser that downloads it names it. */
export const downloadName = ({ createdAt }: Pick<Backup, "createdAt">): string =>
  `postrider-${new Date(createdAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.db`;

/** Those that are whole and too many, when there are these. */
export const tooMany = (backups: readonly Backup[]): Backup[] =>
  backups.filter(({ state }) => state === "DONE").slice(BACKUPS_KEPT);

export const CUT_OFF = "The server ended before the backup was whole.";
