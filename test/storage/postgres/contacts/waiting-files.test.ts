/** A file that waits in slices of the database, and is read again by any server. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { importFiles } from "#imports/import-files.ts";
import { sharedImportFiles } from "#imports/shared-import-files.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { waitingFiles } from "#storage/postgres/imports/waiting-files.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { temporaryDirectory } from "../../../support/server/postrider.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const SLICE_BYTES = 256 * 1024;

describe.skipIf(await lacksPostgres())("a file in slices", () => {
  const directory = temporaryDirectory();
  let home: TestDatabase;
  let database: PostgresDatabase;
  let beside: SQL;
  beforeAll(async () => {
    home = await migratedDatabase();
    database = await openPostgres(home.url, { clock: systemClock, random: seededRandom(1) });
    beside = new SQL({ url: home.url, max: 1 });
  });
  afterAll(async () => {
    await Promise.all([beside.close(), database.close()]);
    await home.drop();
    directory.remove();
  });

  const files = () => sharedImportFiles(waitingFiles(database), importFiles(directory.path), systemClock);
  async function kept(id: string, bytes: number): Promise<Buffer> {
    const file = Buffer.alloc(bytes, "a line of a file\n");
    const incoming = await files().receive(id);
    await incoming.write(file);
    await incoming.keep();
    return file;
  }
  const read = async (id: string): Promise<Buffer> =>
    Buffer.concat(await Array.fromAsync(files().bytesOf(id)()));

  test.each([1, SLICE_BYTES - 1, SLICE_BYTES, SLICE_BYTES + 1, 2 * SLICE_BYTES])(
    "of %d bytes is read as it was written",
    async (bytes) => {
      const id = `imp_${bytes}`;
      const file = await kept(id, bytes);
      expect((await read(id)).equals(file)).toBe(true);
    },
  );

  test("is never read as if it ended where one is missing", async () => {
    await kept("imp_gap", 2 * SLICE_BYTES);
    for (const missing of [2, 1]) {
      await beside.unsafe("DELETE FROM import_slices WHERE import = 'imp_gap' AND number = $1", [missing]);
      expect(await read("imp_gap").catch(String)).toContain("its rest is gone");
    }
    await files().remove("imp_gap");
    expect(await read("imp_gap").catch(String)).toContain("the file is gone");
  });
});
