import type { Subprocess } from "bun";
import { join } from "node:path";
import type { ChaosCampaign } from "./chaos-campaign.ts";
import type { ChaosOptions } from "./chaos-figures.ts";
import { partitionTo, type Partition } from "./partition.ts";

export const through = (database: string, { port }: Partition): string => {
  const url = new URL(database);
  url.port = String(port);
  return url.href;
};

export type ChaosNode = {
  readonly network: Partition;
  readonly process: Subprocess;
  /** How many of its processes have ended. */
  readonly ended: number;
  /** For good. */
  end(): Promise<void>;
};

/** A node that is started again whenever its process ends, as a supervisor would. */
export async function newNode(
  given: ChaosOptions,
  database: string,
  relay: string,
  { workspaceId, campaignId }: ChaosCampaign,
): Promise<ChaosNode> {
  const network = await partitionTo(Number(new URL(database).port));
  const smtp = `${relay}?maxConnections=${given.connections}`;
  const options = {
    database: through(database, network),
    relay: smtp,
    workspace: workspaceId,
    campaign: campaignId,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  if (given.mutant !== undefined) words.push("--mutant", given.mutant);
  const script = join(import.meta.dir, "node-child.ts");
  const start = (): Subprocess =>
    Bun.spawn([process.execPath, script, "--lease", String(given.leaseMs), ...words], {
      stdout: "ignore",
      stderr: "inherit",
    });

  let isOver = false;
  let ended = 0;
  let running = start();
  const supervised = (async () => {
    for (;;) {
      await running.exited;
      if (isOver) return;
      ended++;
      await Bun.sleep(RESTART_MS);
      if (isOver) return;
      running = start();
    }
  })();
  return {
    network,
    get process() {
      return running;
    },
    get ended() {
      return ended;
    },
    async end() {
      isOver = true;
      running.kill("SIGCONT");
      running.kill("SIGKILL");
      await supervised;
      network.stop();
    },
  };
}

const RESTART_MS = 300;
