/** What the log says of a database that cannot be written, and of one that comes and goes. */
import { expect, test } from "bun:test";
import { StorageError } from "#core/errors/storage-error.ts";
import { createLog } from "#log.ts";
import { watchFaults } from "#storage/common/engine/fault-watch.ts";
import { storageFaults } from "#storage/common/engine/storage-faults.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const AGAIN = "the database can be written again";

function watched() {
  const clock = manualClock();
  const said: string[] = [];
  const write = (line: string): void => void said.push((JSON.parse(line) as { message: string }).message);
  const log = createLog({ level: "info", format: "json", clock, write });
  const faults = storageFaults((error) => (error instanceof StorageError ? error : null));
  let isWell = true;
  const probeWrite = async (): Promise<void> => {
    if (!isWell) throw new Error("not yet");
    faults.writeWorks();
  };
  const watch = watchFaults({ faults, probeWrite }, { clock, log });
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await Bun.sleep(0);
  };
  return {
    said,
    advance,
    stop: watch.stop,
    /** Until the probe finds that it works. */
    begins: (error: Error) => void faults.writeFailed(error),
    works: (does: boolean) => void (isWell = does),
    /** A fault that the next write ends. */
    async comesAndGoes(error: Error) {
      faults.writeFailed(error);
      faults.writeWorks();
      await advance(1_000);
    },
  };
}

const noConnection = (): StorageError =>
  new StorageError("unreachable", new Error("too many connections for role"));

test("the same fault that comes and goes is said once a minute, and another one at once", async () => {
  const { said, comesAndGoes, advance, stop } = watched();
  const [unreachable, full] = [noConnection(), new StorageError("full", new Error("no space"))];
  for (let second = 0; second < 50; second++) await comesAndGoes(noConnection());
  expect(said).toEqual([unreachable.message, AGAIN]);
  await comesAndGoes(full);
  expect(said.slice(2)).toEqual([full.message, AGAIN]);
  await advance(60_000);
  await comesAndGoes(full);
  expect(said.slice(4)).toEqual([full.message, AGAIN]);
  stop();
});

test("one that lasts is said within a minute, also where it had just been said, and that it is over", async () => {
  const { said, comesAndGoes, begins, works, advance, stop } = watched();
  await comesAndGoes(noConnection());
  const before = said.length;
  works(false);
  begins(noConnection());
  for (let second = 0; second < 120; second++) await advance(1_000);
  expect(said.slice(before)).toEqual([noConnection().message]);
  works(true);
  await advance(1_000);
  expect(said.slice(before)).toEqual([noConnection().message, AGAIN]);
  stop();
});
