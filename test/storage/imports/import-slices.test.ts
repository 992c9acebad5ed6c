/** Imports whose files wait in slices where every server finds them, as with PostgreSQL. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { openServices, type SqliteServices } from "#app/services.ts";
import { idMaker } from "#core/ids.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { systemRandom } from "#core/random.ts";
import { systemClock } from "#core/time/clock.ts";
import { importFiles } from "#imports/import-files.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { importJob } from "#imports/job.ts";
import { importService } from "#imports/service.ts";
import { sharedImportFiles } from "#imports/shared-import-files.ts";
import type { ImportStore, WaitingFiles } from "#imports/store.ts";
import { createLog } from "#log.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";

const SLICE_BYTES = 256 * 1024;
const logLines: string[] = [];
const log = createLog({
  level: "warn",
  format: "json",
  clock: systemClock,
  write: (line) => logLines.push(line),
});

let home: ReturnType<typeof temporaryDirectory>;
let services: SqliteServices;
let workspaceId: string;
beforeEach(async () => {
  logLines.length = 0;
  home = temporaryDirectory();
  services = openServices(home.path, { clock: systemClock, random: systemRandom, log });
  workspaceId = (await services.workspaces.create("One")).id;
});
afterEach(async () => {
  await services.close();
  home.remove();
});

/** A file of whole slices. Each of its 256 rows has 2 KiB, most of them in a column that is not imported. */
const ROWS = 256;
function fileOf(bytes: number): Buffer {
  const header = "email,note\n";
  const row = (i: number): string => `p${String(i).padStart(4, "0")}@example.com,`.padEnd(2_047, "x");
  const rows = Array.from({ length: ROWS }, (_, i) => `${row(i)}\n`);
  const text = header + rows.join("").slice(0, -1 - header.length);
  return Buffer.from(`${text.padEnd(bytes - 1, "x")}\n`);
}

function world(own: Partial<ImportStore> = {}) {
  const slices = new Map<string, Uint8Array>();
  const waiting: WaitingFiles = {
    add: async (id, number, piece) => void slices.set(`${id} ${number}`, Buffer.from(piece)),
    piece: async (id, number) => slices.get(`${id} ${number}`) ?? null,
    remove: async (id) =>
      [...slices.keys()].filter((key) => key.startsWith(id)).forEach((key) => slices.delete(key)),
    sweep: async () => undefined,
  };
  const { imports: kept, lists, attributes } = services.stores;
  const imports: ImportStore = { ...kept, ...own };
  const files = sharedImportFiles(waiting, importFiles(join(home.path, "uploads")), systemClock);
  const parts = { imports, files, clock: systemClock, newId: idMaker(systemClock, systemRandom), log };
  const service = importService({ ...parts, lists, attributes });
  return {
    slices,
    waiting,
    service,
    /** As the route does it. */
    async send(file: Buffer): Promise<void> {
      const upload = await service.receive(workspaceId);
      try {
        await upload.write(file);
        await upload.start("people.csv", { ...NO_OPTIONS, status: "PENDING" });
      } finally {
        await upload.discard();
      }
    },
    async over() {
      await importJob({ ...parts, isAwaited: () => false }).run(() => undefined);
      return (await kept.page(workspaceId, { limit: 1, before: null })).items[0];
    },
  };
}

test("a file that ends where a slice ends is read to its end", async () => {
  const { send, over, slices } = world();
  const file = fileOf(2 * SLICE_BYTES);
  await send(file);
  expect([file.length, slices.size]).toEqual([2 * SLICE_BYTES, 3]);
  expect(await over()).toMatchObject({ state: "DONE", rows: ROWS, created: ROWS });
  expect(slices.size).toBe(0);
});

test.each([
  [2, 1],
  [2, 2],
  [1, 1],
])("with %d whole slices, an import without its slice %d is FAILED, not DONE", async (whole, missing) => {
  const { send, over, slices } = world();
  await send(fileOf(2 * SLICE_BYTES).subarray(0, whole * SLICE_BYTES));
  for (const key of slices.keys()) if (key.endsWith(` ${missing}`)) slices.delete(key);
  const one = await over();
  expect(one).toMatchObject({ state: "FAILED", error: expect.stringContaining("The rest of its file") });
  const { total } = await services.contacts.page(
    workspaceId,
    { status: null, tag: null, q: null },
    { limit: 1, before: null },
  );
  expect(one?.rows).toBe(total);
});

test("an import that was written, although nobody learned it, keeps its file and is done", async () => {
  const { send, over } = world({
    async insert(...one) {
      await services.stores.imports.insert(...one);
      throw new StorageError("unreachable", new Error("the connection broke"));
    },
  });
  expect(await send(fileOf(2 * SLICE_BYTES)).catch(String)).toContain("does not answer");
  expect(await over()).toMatchObject({ state: "DONE", rows: ROWS });
});

test("an import that is cancelled while its file is read is CANCELLED, and nobody says that it failed", async () => {
  const { send, over, waiting, service } = world();
  await send(fileOf(2 * SLICE_BYTES));
  const { piece } = waiting;
  waiting.piece = async (id, number) => {
    if (number === 1) await service.cancel(workspaceId, id);
    return await piece(id, number);
  };
  expect(await over()).toMatchObject({ state: "CANCELLED", error: null });
  expect(logLines).toEqual([]);
});

test("an import that was refused leaves nothing of its file", async () => {
  const { send, over, slices } = world({
    insert: () => Promise.reject(new StorageError("full", new Error("no room"))),
  });
  expect(await send(fileOf(2 * SLICE_BYTES)).catch(String)).toContain("disk is full");
  expect([slices.size, await over()]).toEqual([0, undefined]);
});
