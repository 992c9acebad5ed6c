/**
 * The backups that were asked for by API, in a directory beside the database. The names of the files alone
 * say which backups there are. So the list is right after a crash, and after a restore too.
 */
import { mkdir, open, readdir, rename, rm, stat, truncate } from "node:fs/promises";
import { errorCode } from "#core/errors/error-code.ts";
import { CUT_OFF, fileStem, newestFirst, parseFileName, type Backup, type NamedFile } from "./backup.ts";

export type BackupFiles = ReturnType<typeof backupFiles>;

const PIECE_BYTES = 256 * 1024;

type Stem = Pick<Backup, "id" | "createdAt">;

export function backupFiles(directory: string) {
  const stemOf = (one: Stem): string => `${directory}/${fileStem(one)}`;

  const named = async (): Promise<NamedFile[]> =>
    (await readdir(directory).catch(() => [])).flatMap((name) => parseFileName(name) ?? []);

  return {
    /** The name that a new backup gets when it is complete. */
    async targetOf(one: Stem): Promise<string> {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return `${stemOf(one)}.db`;
    },

    /** Newest first. A backup that is being made is listed as cut off: only its maker knows better. */
    async list(): Promise<Backup[]> {
      const files = (await named()).filter(({ kind }) => kind !== "db.part-journal");
      const found = await Promise.all(files.map((file) => backupOf(stemOf(file), file)));
      return found.filter((one) => one !== null).toSorted(newestFirst);
    },

    /** @throws Error if it was deleted */
    read: (one: Stem): Promise<ReadableStream<Uint8Array>> => streamOf(`${stemOf(one)}.db`),

    /** Removes all of its files. */
    async remove(one: Stem): Promise<void> {
      for (const kind of ["db", "failed"]) await rm(`${stemOf(one)}.${kind}`, { force: true });
    },

    /** Leaves an empty file that says that it was cut off. */
    async markCutOff(one: Stem): Promise<void> {
      await (await open(`${stemOf(one)}.failed`, "a", 0o600)).close();
    },

    /**
     * At the start of a server: frees the disk space of unfinished backups, and marks them as cut off.
     * @throws if that is not possible for some; it was done for the others
     */
    async sweep(): Promise<void> {
      const sweepOne = async (file: NamedFile): Promise<void> => {
        const path = `${stemOf(file)}.${file.kind}`;
        if (file.kind === "db.part-journal") await rm(path, { force: true });
        if (file.kind !== "db.part") return;
        await truncate(path);
        await rename(path, `${stemOf(file)}.failed`);
      };
      const swept = await Promise.allSettled((await named()).map(sweepOne));
      for (const one of swept) if (one.status === "rejected") throw one.reason;
    },
  };
}

/** Null: it was removed meanwhile. */
async function backupOf(stem: string, { id, createdAt, kind }: NamedFile): Promise<Backup | null> {
  const one = { id, createdAt, progress: null };
  if (kind !== "db") return { ...one, state: "FAILED", sizeBytes: null, error: CUT_OFF };
  const found = await stat(`${stem}.db`).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  });
  return found && { ...one, state: "DONE", sizeBytes: found.size, error: null };
}

/** Read in the thread pool, a piece at a time: a slow disk or client delays nobody else. */
async function streamOf(path: string): Promise<ReadableStream<Uint8Array>> {
  const file = await open(path);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = new Uint8Array(PIECE_BYTES);
        const { bytesRead } = await file.read(piece, 0, PIECE_BYTES).catch(async (error: unknown) => {
          await file.close();
          throw error;
        });
        if (bytesRead > 0) return controller.enqueue(piece.subarray(0, bytesRead));
        await file.close();
        controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 1 },
  );
}
