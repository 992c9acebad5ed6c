/** One database of PostgreSQL, in which a test joins nodes by hand. It has one workspace. */
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { seededRandom } from "../common/dice.ts";
import { makeMailing, type MadeMailing } from "./engine-mailings.ts";
import { migratedDatabase } from "./postgres.ts";

export type NodesDatabase = Awaited<ReturnType<typeof nodesDatabase>>;

export async function nodesDatabase() {
  const { url, drop } = await migratedDatabase();
  /** The test's own connection. */
  const beside = new SQL({ url, max: 1 });
  const run = async (statement: string): Promise<void> => void (await beside.unsafe(statement));
  const values = async (statement: string) =>
    (await beside.unsafe(statement).values()).map(([first]: unknown[]) => first);
  await run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
  await run(
    "INSERT INTO instance VALUES (1, '\\x0101010101010101010101010101010101010101010101010101010101010101', 1) ON CONFLICT DO NOTHING",
  );
  const opens: PostgresDatabase[] = [];
  const closeNodes = async (): Promise<void> =>
    void (await Promise.all(opens.splice(0).map((open) => open.close())));
  return {
    url,
    run,
    values,
    make: (prefix: string, people: number): Promise<MadeMailing> =>
      makeMailing({ engine: { name: "PostgreSQL" }, opened: { run, values } }, { prefix, people }),
    /** The database as a node has it. */
    async open(): Promise<PostgresDatabase> {
      const open = await openPostgres(url, { clock: systemClock, random: seededRandom(1) });
      opens.push(open);
      return open;
    },
    /** A slow machine ends no lease: tests do. */
    keepAlive: (node: number): Promise<void> =>
      run(`UPDATE node_beats SET until = 9000000000000 WHERE node = ${node}`),
    /** For `afterEach`: a node has about ten connections, and all tests together have few hundred. */
    closeNodes,
    async end(): Promise<void> {
      await Promise.all([beside.close(), closeNodes()]);
      await drop();
    },
  };
}
