/** A synchronous standby that takes over, and what the next node does then. */
import { join } from "node:path";
import { expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { databaseRecord } from "#storage/postgres/run/database-record.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { liesWhereItLay } from "#storage/postgres/run/origin.ts";
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

const HAS_ALL = `SELECT count(*) > 0 AND bool_and(flush_lsn >= pg_current_wal_flush_lsn()) IS TRUE AS "all" FROM pg_stat_replication`;

const isMissing = await lacksPostgres();

test.skipIf(isMissing)(
  "sends go on after a synchronous standby took over, where that is trusted",
  async () => {
    const cluster = await startCluster();
    const home = temporaryDirectory();
    const start = async (url: string, trusts: boolean) => {
      const database = await openPostgres(url, { clock: systemClock, random: seededRandom(1) });
      const own = ownNode(systemClock, { name: "test", version: "0" });
      const record = databaseRecord(join(home.path, "database.json"));
      const how = { record, trustsFailover: trusts };
      const takeover = await takeOver(database, registry(database, own, systemClock), NOW, how);
      return { database, takeover };
    };
    try {
      const first = await start(cluster.url, true);
      for (const statement of MAKE) await first.database.write((tx) => tx.run(statement));
      const standby = await cluster.addStandby();
      const isKnown = async (): Promise<boolean> => {
        expect(await liesWhereItLay(first.database)).toBe(true);
        const kept = await first.database.read(({ row }) =>
          row<{ origin: string }>("SELECT origin FROM instance"),
        );
        return (JSON.parse(kept!.origin) as { isSynchronous: boolean }).isSynchronous;
      };
      // The server reads its new settings a moment later.
      while (!(await isKnown())) await Bun.sleep(20);
      // However long the rest takes here: the node's last beat is young.
      await first.database.write((tx) => tx.run("UPDATE node_beats SET until = until + 3600000"));
      // PostgreSQL shows a new setting a moment before commits wait for the standby: these may not have waited.
      const standbyHasAll = async (): Promise<boolean> =>
        (await first.database.read(({ row }) => row<{ all: boolean }>(HAS_ALL)))!.all;
      while (!(await standbyHasAll())) await Bun.sleep(20);
      await first.database.close();
      await standby.takeOver();

      const url = cluster.url.replace(/:\d+\//, `:${standby.port}/`);
      const asked = new SQL({ url, max: 1 });
      const mayWrite = () =>
        asked.unsafe("SELECT NOT pg_is_in_recovery() AS may").then(
          ([found]) => found.may === true,
          () => false,
        );
      while (!(await mayWrite())) await Bun.sleep(20);
      const next = await start(url, true);
      expect(next.takeover).toMatchObject({ held: 0, holdReason: null });
      expect(next.takeover.trusted).toContain("another server took over");
      const held = await asked.unsafe("SELECT held FROM mailings").values();
      expect(held).toEqual([[0]]);
      // This server has no standby of its own: if it goes, all is held.
      await asked.unsafe('UPDATE instance SET origin = replace(origin, \'"timeline":"\', \'"timeline":"F\')');
      const last = await start(url, true);
      expect(last.takeover).toMatchObject({ trusted: null, holdReason: expect.stringContaining("timeline") });
      expect(last.takeover.held).toBeGreaterThan(0);
      await Promise.all([next.database.close(), last.database.close(), asked.close()]);
    } finally {
      home.remove();
      await cluster.stop();
    }
  },
);
