/**
 * The files that wait to be imported, in a directory beside the database. A file that is still being received is
 * called `ID.part`. Those that no running import needs are deleted when the server starts, and while it runs. Files with
 * other names stay: somebody may keep their own here, or the directory may be a link to theirs.
 */
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { errorCode, FULL_DISK } from "#core/errors/error-code.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Bytes } from "./file-reading.ts";

const PART = ".part";
const WHOLE = ".csv";

/** The name of one of our files; the group is the id of its import. */
const NAME = /^(imp_[0-9a-z]{26})\.(?:csv|part)$/;

/** A file that is being received. */
export type Incoming = {
  /** Reads what was received, before it is kept. */
  readonly bytes: Bytes;
  write(piece: Uint8Array): Promise<void>;
  /** Resolves when the file is on the disk under the name of its import. */
  keep(): Promise<void>;
  /** The import is written: from now on its file stays for as long as that runs. */
  handOver(): void;
  /** Deletes the file, kept or not. */
  discard(): Promise<void>;
};

export type ImportFiles = ReturnType<typeof importFiles>;

export function importFiles(directory: string) {
  const pathOf = (id: string): string => `${directory}/${id}${WHOLE}`;
  /** Received by this process: the import is not written yet. */
  const ownIds = new Set<string>();

  return {
    bytesOf: (id: string): Bytes => bytesOf(pathOf(id)),

    /** @throws StorageError if the disk is full */
    async receive(id: string): Promise<Incoming> {
      const part = `${directory}/${id}${PART}`;
      ownIds.add(id);
      const file = await unlessFull(async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        return await open(part, "wx", 0o600);
      }).catch((error: unknown) => {
        ownIds.delete(id);
        throw error;
      });
      let isOpen = true;
      const close = async (): Promise<void> => {
        if (isOpen) await file.close();
        isOpen = false;
      };
      return {
        bytes: bytesOf(part),
        write: (piece) => unlessFull(() => writeAll(file, piece)),
        async keep() {
          await unlessFull(async () => {
            await file.sync();
            await close();
            await rename(part, pathOf(id));
            await syncDirectory(directory);
          });
        },
        handOver: () => void ownIds.delete(id),
        async discard() {
          // First: if it cannot be deleted now, a sweep does it.
          ownIds.delete(id);
          await close();
          await rm(part, { force: true });
          await rm(pathOf(id), { force: true });
        },
      };
    },

    remove: (id: string): Promise<void> => rm(pathOf(id), { force: true }),

    /**
     * Deletes what nobody needs: files of imports that are over, and uploads that were cut off.
     * @param running reads which imports run
     */
    async sweep(running: () => Promise<ReadonlySet<string>>): Promise<void> {
      const names = await readdir(directory).catch(() => []);
      // In this order: an import whose file was handed over before this is written, so the next line reads it.
      const own = new Set(ownIds);
      const needed = await running();
      for (const name of names) {
        const id = NAME.exec(name)?.[1];
        if (id === undefined) continue;
        const isNeeded = own.has(id) || (name.endsWith(WHOLE) && needed.has(id));
        // A directory of that name stays: it must not keep everybody's imports from running.
        if (!isNeeded) await rm(`${directory}/${name}`, { force: true }).catch(() => undefined);
      }
    },
  };
}

const bytesOf =
  (path: string): Bytes =>
  () =>
    createReadStream(path) as AsyncIterable<Buffer>;

async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let written = 0; written < piece.length;)
    written += (await file.write(piece, written, piece.length - written)).bytesWritten;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** A full disk is a fault of the service, not of the request. */
async function unlessFull<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (FULL_DISK.test(errorCode(error))) throw new StorageError("full", error);
    throw error;
  }
}
