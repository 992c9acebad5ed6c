import type { Instant } from "#core/time/clock.ts";

/**
 * This many finished backups are kept; a further one replaces the oldest. Each is as large as the database.
 */
const BACKUPS_KEPT = 3;

type BackupState = "RUNNING" | "DONE" | "FAILED";

/** A copy of the whole database, with every workspace, that was asked for by API. */
export type Backup = {
  readonly id: string;
  readonly state: BackupState;
  readonly createdAt: Instant;
  /** Null until it is DONE. */
  readonly sizeBytes: number | null;
  /** Only while RUNNING: roughly which part is copied, 0 to 1. */
  readonly progress: number | null;
  /** Why it FAILED, for people. */
  readonly error: string | null;
};

/** What the name of a file in the directory of backups says. */
export type NamedFile = { readonly id: string; readonly createdAt: Instant; readonly kind: FileKind };

/**
 * `db`: complete, and on the disk. `db.part`: being made, with a journal beside it. `failed`: an empty file
 * in place of a backup that was cut off.
 */
type FileKind = "db" | "db.part" | "db.part-journal" | "failed";

const NAME =
  /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z-(bak_[0-9a-z]{26})\.(db|db\.part|db\.part-journal|failed)$/;

/**
 * The name of its file without the kind. The time comes first, so that a listing of the directory is in
 * order.
 */
export const fileStem = ({ id, createdAt }: Pick<Backup, "id" | "createdAt">): string =>
  `${new Date(createdAt).toISOString().replaceAll(/[-:]/g, "")}-${id}`;

/** Null: it is not a name of ours. */
export function parseFileName(name: string): NamedFile | null {
  const [, year, month, day, hour, minute, second, id, kind] = NAME.exec(name) ?? [];
  if (id === undefined) return null;
  const createdAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(createdAt) ? null : { id, createdAt, kind: kind as FileKind };
}

/** The name under which a browser saves it. */
export const downloadName = ({ createdAt }: Pick<Backup, "createdAt">): string =>
  `postrider-${new Date(createdAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.db`;

/** For sorting; the id decides between two of the same millisecond. */
export const newestFirst = (a: Backup, b: Backup): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

/**
 * The finished backups beyond the number that is kept. `made` has just been made and stays. Its name does not have to be
 * the newest: the clock may have been ahead when others were made. Those go first, then the oldest.
 * @param backups newest first
 */
export function tooMany(backups: readonly Backup[], made: Pick<Backup, "id" | "createdAt">): Backup[] {
  const others = backups.filter(({ id, state }) => state === "DONE" && id !== made.id);
  const isAhead = ({ createdAt }: Backup): boolean => createdAt > made.createdAt;
  return [...others.filter((one) => !isAhead(one)), ...others.filter(isAhead)].slice(BACKUPS_KEPT - 1);
}

export const CUT_OFF = "The server ended before the backup was whole.";
