/** Files of imports that nobody needs any more, while the server runs on. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServices, type SqliteServices } from "#app/services.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { idMaker } from "#core/ids.ts";
import { systemRandom } from "#core/random.ts";
import { importFiles, type ImportFiles } from "#imports/import-files.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { importJob } from "#imports/job.ts";
import { importService } from "#imports/service.ts";
import { sharedImportFiles } from "#imports/shared-import-files.ts";
import { systemClock } from "#core/time/clock.ts";
import type { ImportStore, WaitingFiles } from "#imports/store.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { manualClock, type ManualClock } from "../../support/common/manual-clock.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";
import { HOUR } from "../../support/common/durations.ts";

const OPTIONS = { ...NO_OPTIONS, status: "PENDING" } as const;
const OTHERS = "imp_01m8kw6dpfxw16f45mhb317cjp.part";

let clock: ManualClock;
let home: ReturnType<typeof temporaryDirectory>;
let services: SqliteServices;
let workspaceId: string;
beforeEach(async () => {
  clock = manualClock();
  home = temporaryDirectory();
  services = openServices(home.path, { clock: systemClock, random: systemRandom, log: SILENT_LOG });
  workspaceId = (await services.workspaces.create("One")).id;
});
afterEach(async () => {
  await services.close();
  home.remove();
});

function world(files: ImportFiles, own: Partial<ImportStore> = {}) {
  const { imports: kept, lists, attributes } = services.stores;
  const newId = idMaker(clock, systemRandom);
  const parts = { imports: { ...kept, ...own }, files, clock, newId, log: SILENT_LOG };
  const job = importJob({ ...parts, isAwaited: () => false });
  return { service: importService({ ...parts, lists, attributes }), run: () => job.run(() => undefined) };
}

const directory = (): string => join(home.path, "imports");
const stored = (): string[] => readdirSync(directory()).toSorted();
const upload = async (service: ReturnType<typeof importService>) => {
  const one = await service.receive(workspaceId);
  await one.write(Buffer.from("email\nada@example.com\n"));
  return one;
};

test("what an import left that is over goes within an hour, and what is being received or waits stays", async () => {
  const local = importFiles(directory());
  // The disk did not let it be removed.
  const files = { ...local, remove: async () => undefined };
  const { service, run } = world(files);
  await run();
  const first = await upload(service);
  const over = await first.start("people.csv", OPTIONS);
  await first.discard();
  await run();
  expect((await service.find(workspaceId, over.id)).state).toBe("DONE");
  writeFileSync(join(directory(), OTHERS), "of another process that ended");
  const received = await upload(service);
  expect(stored()).toHaveLength(3);
  await run();
  expect(stored()).toHaveLength(3);
  clock.advance(HOUR);
  await run();
  expect(stored()).toEqual([expect.stringMatching(/^imp_.+\.part$/)]);
  expect(stored()).not.toContain(OTHERS);
  const waiting = await received.start("people.csv", OPTIONS);
  await files.sweep(services.stores.imports.runningIds);
  expect(stored()).toEqual([`${waiting.id}.csv`]);
});

test("what somebody else keeps in the directory stays, also where it is a link to theirs", async () => {
  const theirs = join(home.path, "theirs");
  const names = ["imp_orders.csv", "people.csv", "imp_orders.part", "notes"].toSorted();
  mkdirSync(theirs);
  for (const name of names) writeFileSync(join(theirs, name), "email\n");
  writeFileSync(join(theirs, OTHERS), "of another process that ended");
  symlinkSync(theirs, directory());
  await importFiles(directory()).sweep(services.stores.imports.runningIds);
  expect(stored()).toEqual(names);
});

test("an import that is written while it is swept keeps its file", async () => {
  const files = importFiles(directory());
  const { service } = world(files);
  const { runningIds } = services.stores.imports;
  const received = await upload(service);
  await files.sweep(async () => {
    const before = await runningIds();
    await received.start("people.csv", OPTIONS);
    return before;
  });
  expect(stored()).toHaveLength(1);
});

test("slices of an import that was never written go a day later, though no server starts", async () => {
  const slices = new Map<string, number>();
  const waiting: WaitingFiles = {
    add: async (id, _number, _piece, at) => void slices.set(id, at),
    piece: async () => null,
    remove: async (id) => void slices.delete(id),
    sweep: async (needed, before) => {
      for (const [id, at] of slices) if (!needed.has(id) && at < before) slices.delete(id);
    },
  };
  const { service, run } = world(sharedImportFiles(waiting, importFiles(directory()), clock), {
    insert: () => Promise.reject(new StorageError("unreachable", new Error("the connection broke"))),
  });
  await run();
  const lost = await upload(service);
  expect(await lost.start("people.csv", OPTIONS).catch(String)).toContain("does not answer");
  await lost.discard();
  clock.advance(23 * HOUR);
  await run();
  expect(slices.size).toBe(1);
  clock.advance(2 * HOUR);
  await run();
  expect(slices.size).toBe(0);
});
