/**
 * The backups that were asked for by API, in a directory beside the database. What is there is told by the files'
 * names alone, so it is true after a crash and after a restore too.
 */
import { mkdir, open, readdir, rename, rm, stat, truncate } from "node:fs/promises";
import { errorCode } from "#core/error-code.ts";
import { CUT_OFF, fileStem, parseFileName, type Backup, type NamedFile } from "./backup.ts";

export type BackupFiles = ReturnType<typeof backupFiles>;

const PIECE_BYTES = 256 * 1024;

type Stem = Pick<Backup, "id" | "createdAt">;

export function backupFiles(directory: string) {
  const stemOf = (one: Stem): string => `${directory}/${fileStem(one)}`;

  const named = async (): Promise<NamedFile[]> =>
    (await readdir(directory).catch(() => [])).flatMap((name) => parseFileName(name) ?? []);

  return {
    /** Where a new one is copied to: it gets this name when it is whole. */
    async targetOf(one: Stem): Promise<string> {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return `${stemOf(one)}.db`;
    },

    /** Newest first. One that is being made looks cut off: only who makes it knows better. */
    async list(): Promise<Backup[]> {
      const files = (await named()).filter(({ kind }) => kind !== "db.part-journal");
      const found = await Promise.all(files.map((file) => backupOf(stemOf(file), file)));
      return found
        .filter((one) => one !== null)
        .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    },

    /** @throws Error where it is gone */
    read: (one: Stem): Promise<ReadableStream<Uint8Array>> => streamOf(`${stemOf(one)}.db`),

    /** Whatever there is of it. */
    async remove(one: Stem): Promise<void> {
      for (const kind of ["db", "failed"]) await rm(`${stemOf(one)}.${kind}`, { force: true });
    },

    /** Leaves word that it was cut off. */
    async markCutOff(one: Stem): Promise<void> {
      await (await open(`${stemOf(one)}.failed`, "a", 0o600)).close();
    },

    /** At the start of a server: what the last one left half made takes no room, and is told of. */
    async sweep(): Promise<void> {
      for (const file of await named()) {
        const path = `${stemOf(file)}.${file.kind}`;
        if (file.kind === "db.part-journal") await rm(path, { force: true });
        if (file.kind !== "db.part") continue;
        await truncate(path);
        await rename(path, `${stemOf(file)}.failed`);
      }
    },
  };
}

/** Null: it was taken away meanwhile. */
async function backupOf(stem: string, { id, createdAt, kind }: NamedFile): Promise<Backup | null> {
  const one = { id, createdAt, progress: null };
  if (kind !== "db") return { ...one, state: "FAILED", sizeBytes: null, error: CUT_OFF };
  const found = await stat(`${stem}.db`).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  });
  return found && { ...one, state: "DONE", sizeBytes: found.size, error: null };
}

/** Read by the system's own threads, a piece at a time: a slow disk or reader holds nobody else up. */
async function streamOf(path: string): Promise<ReadableStream<Uint8Array>> {
  const file = await open(path);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = new Uint8Array(PIECE_BYTES);
        const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
        if (bytesRead > 0) return controller.enqueue(piece.subarray(0, bytesRead));
        await file.close();
        controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 1 },
  );
}
