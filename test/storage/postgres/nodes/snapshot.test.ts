/** A snapshot of PostgreSQL's disks that is put back: what it owes may have gone out since then. */
import { join } from "node:path";
import { expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { databaseRecord } from "#storage/postgres/run/database-record.ts";
import { takeOver } from "#storage/postgres/run/takeover.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { temporaryDirectory } from "../../../support/server/postrider.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";
import { startCluster } from "../../../support/storage/postgres-cluster.ts";

const NOW = 1_800_000_000_000;
const MAKE = [
  "INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)",
  "INSERT INTO mailings (workspace, kind, source_id, phase, created_at) VALUES (1, 'campaign', 'cmp_owed', 'planning', 5)",
];
/** More beats than the numbers that PostgreSQL leaves out when it starts again. */
const BEATS = 40;

test.skipIf(await lacksPostgres())(
  "it is noticed, and all mail is held, once for all servers, until it is released",
  async () => {
    const cluster = await startCluster();
    const homes = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
    const [here, there, fresh] = homes.map(({ path }) => databaseRecord(join(path, "database.json")));
    /** A server that starts, beats as often, and ends. */
    const run = async (record = here!, beats = BEATS) => {
      const database = await openPostgres(cluster.url, { clock: systemClock, random: seededRandom(1) });
      const nodes = registry(database, ownNode(systemClock, { name: "test", version: "0" }), systemClock);
      const { held, holdReason, seen } = await takeOver(database, nodes, NOW, {
        record,
        trustsFailover: false,
      });
      for (let beat = 0; beat < beats; beat++)
        await record.keep({ place: seen.place, number: await nodes.beat(NOW) });
      await nodes.leave(NOW);
      const write = (statement: string) => database.write((tx) => tx.run(statement));
      return { isHeld: held > 0, holdReason, write, close: database.close };
    };
    const outcome = async (record = here!) => {
      const { close, write: _, ...found } = await run(record);
      await close();
      return found;
    };
    const nothing = { isHeld: false, holdReason: null };
    try {
      const first = await run();
      for (const statement of MAKE) await first.write(statement);
      await first.close();
      expect(await outcome(there)).toEqual(nothing);
      const putBack = await cluster.snapshot();
      expect(await outcome()).toEqual(nothing);
      expect(await outcome(there)).toEqual(nothing);
      await cluster.crash();
      expect(await outcome()).toEqual(nothing);

      await putBack();
      expect(await outcome()).toEqual({ isHeld: true, holdReason: expect.stringContaining("has gone back") });
      expect(await outcome()).toEqual(nothing);
      expect(await outcome(there)).toEqual(nothing);
      expect(await outcome(fresh)).toEqual(nothing);
    } finally {
      for (const home of homes) home.remove();
      await cluster.stop();
    }
  },
);
