import type { SignedIn } from "#core/request/access.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import { AppError, notFound } from "#core/errors/errors.ts";
import { errorCode } from "#core/errors/error-code.ts";
import type { NewId } from "#core/ids.ts";
import type { Proving } from "#sessions/proof.ts";
import type { Backup } from "./backup.ts";
import { backupMaker, type MakerParts } from "./backup-maker.ts";
import { Permits } from "./permits.ts";
import type { BackupStore } from "./store.ts";

export type CopyDatabase = MakerParts["copy"];

type Parts = Omit<MakerParts, "copy"> & {
  /** Null: the database is copied with its own tools. */
  readonly copy: CopyDatabase | null;
  readonly backups: BackupStore;
  readonly proving: Pick<Proving, "ofSession">;
  readonly clock: Clock;
  readonly newId: NewId;
};

export type BackupService = ReturnType<typeof backupService>;

/**
 * Backups that are asked for by API (docs/decisions.md "Backups"). All but `sweep` and `stop` throw AppError
 * FORBIDDEN for a person who does not own every workspace.
 */
export function backupService(parts: Parts) {
  const { backups, files, copy, clock, newId } = parts;
  const maker = backupMaker({ ...parts, copy: copy ?? (() => Promise.reject(ownMeans())) });

  const requireOwner = async (person: SignedIn): Promise<void> => {
    if (!(await backups.ownsEverything(person.userId))) throw notOwner();
  };

  const record = (person: SignedIn, what: string, target: string): Promise<void> =>
    backups.record({ email: person.email, what, target, at: clock.now() });

  const find = async (id: string): Promise<Backup> => {
    const found = (await maker.list()).find((one) => one.id === id);
    if (found === undefined) throw notFound(`The backup ${id}`);
    return found;
  };

  return {
    async list(person: SignedIn): Promise<Backup[]> {
      await requireOwner(person);
      return await maker.list();
    },

    /** @throws AppError NOT_FOUND */
    async find(person: SignedIn, id: string): Promise<Backup> {
      await requireOwner(person);
      return await find(id);
    },

    /** Begins one. @throws AppError CONFLICT while one is being made, and where the database has its own tools */
    async make(person: SignedIn): Promise<Backup> {
      await requireOwner(person);
      if (copy === null) throw ownMeans();
      const one = { id: newId("bak"), createdAt: clock.now() };
      return await maker.begin(one, () => record(person, "backup_made", one.id));
    },

    ...downloading(parts, { requireOwner, find, record }),

    /** @throws AppError NOT_FOUND; WRONG_STATE for one that is being made */
    async remove(person: SignedIn, id: string): Promise<void> {
      await requireOwner(person);
      const found = await find(id);
      if (found.state === "RUNNING")
        throw new AppError("WRONG_STATE", "The backup is being made: wait until it is done.");
      await record(person, "backup_deleted", id);
      await maker.remove(found);
    },

    /** For a server, at its start: cleans up what an earlier one left. */
    sweep: (): Promise<void> => files.sweep(),

    /** Stops the backup that is being made, because the server ends. */
    stop: maker.stop,
  };
}

type Steps = {
  requireOwner(person: SignedIn): Promise<void>;
  find(id: string): Promise<Backup>;
  record(person: SignedIn, what: string, target: string): Promise<void>;
};

/** Downloading: the password once more, then the file. */
function downloading(
  { files, proving, clock }: Pick<Parts, "files" | "proving" | "clock">,
  { requireOwner, find, record }: Steps,
) {
  const permits = new Permits();

  const whole = async (id: string): Promise<Backup> => {
    const found = await find(id);
    if (found.state !== "DONE") throw new AppError("WRONG_STATE", `The backup is ${found.state}, not DONE.`);
    return found;
  };

  return {
    /** @throws AppError NOT_FOUND, WRONG_STATE, VALIDATION_ERROR, RATE_LIMITED */
    async unlock(
      person: SignedIn,
      id: string,
      readPassword: () => string,
      clientAddress: string,
    ): Promise<Instant> {
      await requireOwner(person);
      await whole(id);
      await proving.ofSession(person, "password", readPassword(), clientAddress);
      return permits.grant(person.sessionId, id, clock.now());
    },

    /** @throws AppError NOT_FOUND, WRONG_STATE, FORBIDDEN */
    async read(person: SignedIn, id: string): Promise<{ backup: Backup; bytes: ReadableStream<Uint8Array> }> {
      await requireOwner(person);
      const backup = await whole(id);
      if (!permits.allows(person.sessionId, id, clock.now())) throw locked(id);
      const bytes = await files.read(backup).catch((error: unknown) => {
        throw errorCode(error) === "ENOENT" ? notFound(`The backup ${id}`) : error;
      });
      await record(person, "backup_downloaded", id).catch(async (error: unknown) => {
        await bytes.cancel();
        throw error;
      });
      return { backup, bytes };
    },
  };
}

const ownMeans = (): AppError =>
  new AppError("CONFLICT", "The data is in PostgreSQL: back it up by its own means, such as pg_dump.");

const notOwner = (): AppError =>
  new AppError(
    "FORBIDDEN",
    "A backup holds every workspace of this server: only somebody who owns all of them may ask for it.",
  );

const locked = (id: string): AppError =>
  new AppError(
    "FORBIDDEN",
    `Give your password first: \`POST /backups/${id}/unlock\`. It holds five minutes.`,
  );
