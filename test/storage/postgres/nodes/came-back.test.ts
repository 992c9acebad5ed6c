/** The server before a takeover answers again: what it owes may have gone out from the one that took over. */
import { join } from "node:path";
import { expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { ownNode } from "#storage/postgres/ledger/nodes/node.ts";
import { registry } from "#storage/postgres/ledger/nodes/registry.ts";
import { databaseRecord, type DatabaseRecord } from "#storage/postgres/run/database-record.ts";
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
/** As after some restored backups: its messages have long numbers already. */
const RESTORED_BEFORE = "SELECT setval(pg_get_serial_sequence('deliveries', 'seq'), 50000000000)";
const NEXT_MESSAGE = "SELECT nextval(pg_get_serial_sequence('deliveries', 'seq')) AS number";
const IS_PRIMARY = "SELECT NOT pg_is_in_recovery() AS is";

const isMissing = await lacksPostgres();

/** Starts a server, and ends it. */
async function outcome(url: string, record: DatabaseRecord) {
  const database = await openPostgres(url, { clock: systemClock, random: seededRandom(1) });
  const nodes = registry(database, ownNode(systemClock, { name: "test", version: "0" }), systemClock);
  const { held, holdReason } = await takeOver(database, nodes, NOW, { record, trustsFailover: true });
  const next = await database.write((tx) => tx.row<{ number: number }>(NEXT_MESSAGE));
  await database.close();
  return { isHeld: held > 0, holdReason, message: next!.number };
}

const asked = async (url: string, ...statements: readonly string[]) => {
  const sql = new SQL({ url, max: 1 });
  try {
    let found;
    for (const statement of statements) [found] = await sql.unsafe(statement);
    return found;
  } finally {
    await sql.close();
  }
};
const RELEASE = "UPDATE mailings SET held = 0";
const FOLLOW_NOBODY = ["ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()"];

test.skipIf(isMissing)(
  "all mail is held, once for all servers, and again where the other one answers once more",
  async () => {
    const cluster = await startCluster();
    const homes = [temporaryDirectory(), temporaryDirectory()];
    const [here, there] = homes.map(({ path }) => databaseRecord(join(path, "database.json")));
    const cameBack = { isHeld: true, holdReason: expect.stringContaining("another one was used since") };
    const nothing = { isHeld: false, holdReason: null };
    try {
      await outcome(cluster.url, here!);
      await asked(cluster.url, ...MAKE, RESTORED_BEFORE);
      const standby = await cluster.addStandby();
      await outcome(cluster.url, there!);
      const other = cluster.url.replace(/:\d+\//, `:${standby.port}/`);
      await standby.takeOver();
      while (!(await asked(other, IS_PRIMARY).catch(() => null))?.is) await Bun.sleep(20);
      await asked(other, ...FOLLOW_NOBODY);
      await outcome(other, here!);
      await outcome(other, there!);
      await asked(other, RELEASE);
      const sentThere = await outcome(other, here!);
      expect(sentThere).toMatchObject(nothing);

      await cluster.crash();
      await asked(cluster.url, ...FOLLOW_NOBODY);
      const back = await outcome(cluster.url, here!);
      expect(back).toMatchObject(cameBack);
      // A link in the other's mail says a number, which becomes nobody's here.
      expect(back.message).toBeGreaterThan(sentThere.message + 1_000_000);
      await asked(cluster.url, RELEASE);
      expect(await outcome(cluster.url, there!)).toMatchObject(nothing);
      expect(await outcome(cluster.url, here!)).toMatchObject(nothing);

      const again = await outcome(other, here!);
      expect(again).toMatchObject(cameBack);
      expect(again.message).toBeGreaterThan(back.message + 1_000_000);
      expect(await outcome(other, there!)).toMatchObject(nothing);
    } finally {
      for (const home of homes) home.remove();
      await cluster.stop();
    }
  },
);

test.skipIf(isMissing)("a server that used another database before holds nothing here", async () => {
  const [cluster, another] = await Promise.all([startCluster(), startCluster()]);
  const homes = [temporaryDirectory(), temporaryDirectory()];
  const [here, stray] = homes.map(({ path }) => databaseRecord(join(path, "database.json")));
  try {
    await outcome(another.url, stray!);
    await outcome(cluster.url, here!);
    await asked(cluster.url, ...MAKE);
    expect(await outcome(cluster.url, stray!)).toMatchObject({ isHeld: false, holdReason: null });
  } finally {
    for (const home of homes) home.remove();
    await Promise.all([cluster.stop(), another.stop()]);
  }
});
