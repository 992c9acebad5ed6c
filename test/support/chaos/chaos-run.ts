/**
 * One campaign, sent by several nodes on PostgreSQL while things break: nodes are killed, and stopped for longer than
 * their lease; PostgreSQL is killed, or its standby takes over; and the network between them stops passing bytes. Then
 * every recipient must be accounted for.
 */
import { SQL } from "bun";
import { present } from "#core/present.ts";
import { audit, writeDownFences } from "./chaos-audit.ts";
import { chaosCampaign, type ChaosCampaign } from "./chaos-campaign.ts";
import { FAULTS, type ChaosFigures, type ChaosOptions, type Fault } from "./chaos-figures.ts";
import { newNode, through, type ChaosNode } from "./chaos-node.ts";
import { dice, type Dice } from "../common/dice.ts";
import { newPace, type Pace } from "./pace.ts";
import { partitionTo, type Partition } from "./partition.ts";
import { startCluster, type Cluster, type Standby } from "../storage/postgres-cluster.ts";
import { scriptedSmtp, type ScriptedSmtp } from "../sending/scripted-smtp.ts";

/** @param say is called with each fault as it happens */
export async function chaosRun(
  given: ChaosOptions,
  say: (line: string) => void = () => undefined,
): Promise<ChaosFigures> {
  const cluster = await startCluster();
  try {
    const network = await partitionTo(Number(new URL(cluster.url).port));
    const campaign = await chaosCampaign(through(cluster.url, network), given.recipients);
    const standby = given.faults.takeover > 0 ? await cluster.addStandby() : null;
    return await sendInChaos(given, { cluster, standby, network, campaign, say });
  } finally {
    await cluster.stop();
  }
}

type Scene = {
  readonly cluster: Cluster;
  readonly standby: Standby | null;
  /** The connection of this process to the database. */
  readonly network: Partition;
  readonly campaign: ChaosCampaign;
  say(line: string): void;
};

async function sendInChaos(given: ChaosOptions, scene: Scene): Promise<ChaosFigures> {
  const startedAt = performance.now();
  const random = dice(given.seed);
  const taken = new Map<string, number[]>();
  const pace = newPace();
  const relay = newRelay(given, random, taken, pace);
  const sql = new SQL({ url: through(scene.cluster.url, scene.network), max: 2 });
  await writeDownFences(sql, given.mutant);
  const all = Array.from({ length: given.nodes }, () =>
    newNode(given, scene.cluster.url, relay.url, scene.campaign),
  );
  const run: Run = {
    given,
    random,
    ...scene,
    sql,
    nodes: await Promise.all(all),
    taken,
    pace,
    optedOut: new Map(),
  };
  try {
    const readers = optOutSome(run);
    await breakThings(run);
    await readers;
    await eventuallySent(run);
    return { ...(await audit(run)), seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
  } finally {
    await Promise.all(run.nodes.map((node) => node.end()));
    await sql.close();
    await scene.campaign.close();
    scene.network.stop();
    relay.stop();
  }
}

type Run = Scene & {
  readonly given: ChaosOptions;
  readonly random: Dice;
  readonly sql: SQL;
  readonly nodes: readonly ChaosNode[];
  /** When the relay took mail to an address. */
  readonly taken: ReadonlyMap<string, readonly number[]>;
  readonly pace: Pace;
  /** When an opt-out was answered. */
  readonly optedOut: Map<string, number>;
};

function newRelay(
  { putsOffEvery }: ChaosOptions,
  random: Dice,
  taken: Map<string, number[]>,
  pace: Pace,
): ScriptedSmtp {
  const putOff = new Set<string>();
  return scriptedSmtp({
    forget: true,
    on: {
      DOT({ rcptTo: [address = ""] }) {
        if (putsOffEvery > 0 && random.roll(putsOffEvery) === 0 && !putOff.has(address)) {
          putOff.add(address);
          return "451 4.3.0 Try again later";
        }
        taken.set(address, [...(taken.get(address) ?? []), Date.now()]);
        const after = Promise.all([Bun.sleep(1 + random.fraction() * 3), pace.turnOf(taken.size)]);
        return { reply: "250 2.0.0 Queued", and: "go on", after };
      },
    },
  });
}

/** The faults, in a random order, each after some more messages. During each, at most a share of the mail is answered. */
async function breakThings(run: Run): Promise<void> {
  const { given, random, nodes } = run;
  const left = FAULTS.flatMap((fault) => Array.from({ length: given.faults[fault] }, () => fault));
  const share = Math.floor(given.recipients / (left.length + 2));
  while (left.length > 0) {
    const [fault] = left.splice(random.roll(left.length), 1);
    const target = run.taken.size + random.roll(2 * share);
    while (run.taken.size < target && !(await isSent(run))) await Bun.sleep(20);
    run.say(`${fault}, with ${run.taken.size} taken`);
    run.pace.hold(run.taken.size + share);
    await ACTS[fault!](run, random.pick(nodes)).finally(() => run.pace.letGo());
  }
}

/** How many leases long a node is away: by then PostgreSQL has ended its open transaction, and others have fenced it. */
const AWAY = 2.5;

const ACTS: Readonly<Record<Fault, (run: Run, node: ChaosNode) => Promise<void>>> = {
  kill: async (_, node) => node.process.kill("SIGKILL"),
  async stop({ given }, { network, process: stopped }) {
    // Its newest commit is answered while it sleeps. When it wakes, it must see by its clock that this is too late.
    await network.cut();
    stopped.kill("SIGSTOP");
    network.heal();
    await Bun.sleep(given.leaseMs * AWAY);
    stopped.kill("SIGCONT");
  },
  crash: ({ cluster }) => cluster.crash(),
  async partition({ given }, { network }) {
    await network.cut();
    await Bun.sleep(given.leaseMs * AWAY);
    network.heal();
  },
  async takeover({ standby, network, nodes, campaign }) {
    await standby?.takeOver();
    for (const one of [network, ...nodes.map((node) => node.network)])
      one.lead(present(standby, "standby").port);
    await untilItWorks(() => campaign.release());
  },
};

/** Readers opt out, one after the other, as long as there is mail to send. */
async function optOutSome(run: Run): Promise<void> {
  const { given, random, taken, optedOut, campaign } = run;
  for (let reader = 0; reader < given.optOuts; reader++) {
    const target = (given.recipients / given.optOuts) * reader;
    while (taken.size < target && !(await isSent(run))) await Bun.sleep(20);
    const address = `reader-${1 + random.roll(given.recipients)}@example.com`;
    await untilItWorks(() => campaign.optOut(address));
    if (!optedOut.has(address)) optedOut.set(address, Date.now());
  }
}

/** While PostgreSQL starts again, nobody knows whether an opt-out was written: it may be sent twice. */
async function untilItWorks<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await Bun.sleep(50);
    }
  }
}

const PATIENCE_MS = 120_000;

async function isSent({ sql }: Run): Promise<boolean> {
  const [campaign] = await untilItWorks(async () => await sql`SELECT status FROM campaigns`);
  return campaign.status === "SENT";
}

async function eventuallySent(run: Run): Promise<void> {
  let [before, since] = [-1, performance.now()];
  while (!(await isSent(run))) {
    if (run.taken.size > before) [before, since] = [run.taken.size, performance.now()];
    if (performance.now() - since > PATIENCE_MS)
      throw new Error(`Nothing was sent for ${PATIENCE_MS} ms, with ${before} taken.`);
    await Bun.sleep(100);
  }
}
