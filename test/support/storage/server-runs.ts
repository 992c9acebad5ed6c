/** Servers that take over a database in a data directory, one after the other, as `serve` does it. */
import { afterEach, beforeEach } from "bun:test";
import { lockServer, takeOverDatabase, type Takeover } from "#app/database.ts";
import { openServices, type SqliteServices, type World } from "#app/services.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { systemClock } from "#core/time/clock.ts";
import { SILENT_LOG } from "../common/silent-log.ts";
import { temporaryDirectory } from "../server/postrider.ts";

export const world: World = { clock: systemClock, random: systemRandom, log: SILENT_LOG };

/** The data directory of the test that runs, and the database in it. */
export let home: ReturnType<typeof temporaryDirectory>;
export let database = "";

/** Call it once in a file: each test has a data directory of its own. */
export function hasOwnHome(): void {
  beforeEach(() => {
    home = temporaryDirectory();
    database = `${home.path}/postrider.db`;
  });
  afterEach(() => home.remove());
}

/** A server's start and end around `work`. `killed`: without the end. */
export async function run(
  work: (services: SqliteServices, takeover: Takeover) => Promise<void> | void,
  killed = false,
): Promise<Takeover> {
  const lock = unwrap(lockServer(home.path, world.clock.now()));
  const services = openServices(home.path, world);
  try {
    const takeover = await takeOverDatabase(services, world, lock);
    await work(services, takeover);
    if (!killed) await takeover.beat(world.clock.now());
    return takeover;
  } finally {
    await services.close();
    lock.release();
  }
}

export const write = async (services: SqliteServices): Promise<void> => {
  await services.workspaces.create("Ada's");
};
