/**
 * How fast a campaign goes out through relays that misbehave, each beside the same relay without its fault,
 * in the same run.
 */
import { resolve } from "node:path";
import { ROUNDS } from "./figures/best.ts";
import { audience } from "./campaign.ts";
import { letterHtml } from "./data/letter.ts";
import { runPostrider, startPostrider, type Postrider, type Running } from "./processes/processes.ts";
import type { Row } from "./figures/table.ts";
import type { Faults } from "./processes/tiny-sink.ts";

const PORT = 18_501;
const CONNECTIONS = 10;
/** How long a relay that loses messages is watched. */
const WATCHED_MS = 20_000;

type Case = {
  readonly what: string;
  readonly faults: Faults;
  readonly share?: number;
  readonly goal: Row["goal"];
};

const CASES: readonly Case[] = [
  { what: "closes after 100 messages", faults: { closesAfter: 100 }, goal: { ratioAtLeast: 0.8 } },
  { what: "closes after 1,000 messages", faults: { closesAfter: 1_000 }, goal: { ratioAtLeast: 0.8 } },
  // Messages that are refused wait for a minute or more: only the others are counted.
  {
    what: "refuses one recipient in a hundred",
    faults: { refusesEvery: 100 },
    share: 0.985,
    goal: { ratioAtLeast: 0.8 },
  },
];

export async function relaysBench(count = 20_000): Promise<Row[]> {
  const server = await startPostrider("smtp://127.0.0.1:1", PORT);
  try {
    const listId = await audience(server, count);
    const bench = new RelayBench(server, listId, count);
    const rows: Row[] = [];
    for (const { what, faults, share = 1, goal } of CASES) {
      const [ours, theirs] = await bench.inTurn({ faults, share }, { faults: {}, share });
      rows.push(row(`relay that ${what}, messages/s`, ours, "the same without the fault", theirs, goal));
    }
    const five = { takes: 5 };
    const [ten, asFive] = await bench.inTurn({ faults: five }, { faults: five, connections: 5 });
    const what = `relay that takes 5 connections, maxConnections=${CONNECTIONS}, messages/s`;
    rows.push(row(what, ten, "the same with maxConnections=5", asFive, { ratioAtLeast: 0.7 }));
    const { perSecond, uncertain } = await bench.watched({ losesEvery: 2 });
    const [, fine] = await bench.inTurn({ faults: {} }, { faults: {} });
    rows.push(
      row(
        `relay that loses every second dot, in ${WATCHED_MS / 1000} s, messages/s`,
        perSecond,
        "without the fault",
        fine,
        null,
      ),
      // Five: those on the other connections, and one after each of the first two pauses.
      row(`the same: messages whose fate is unknown, of ${count}`, uncertain, "none", NaN, {
        atMost: 5 + CONNECTIONS + 2,
      }),
    );
    return rows;
  } finally {
    await server.stop();
  }
}

type Side = {
  readonly faults: Faults;
  readonly connections?: number;
  /** The share of recipients that get it at the first attempt. */
  readonly share?: number;
  readonly domainLimits?: string;
};

/** Campaigns through relays made for them. */
export class RelayBench {
  constructor(
    private readonly server: Postrider,
    private readonly listId: string,
    private readonly count: number,
  ) {}

  /** The best messages a second of each. */
  async inTurn(ours: Side, theirs: Side): Promise<[number, number]> {
    const best: [number, number] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      best[0] = Math.max(best[0], await this.#speed(ours));
      best[1] = Math.max(best[1], await this.#speed(theirs));
    }
    return best;
  }

  async watched(faults: Faults): Promise<{ perSecond: number; uncertain: number }> {
    return await this.#through({ faults }, async (campaign) => {
      await this.server.call("POST", `/campaigns/${campaign}/send`);
      await Bun.sleep(WATCHED_MS);
      const { sent, uncertain } = (await this.server.call("GET", `/campaigns/${campaign}/report`)).data;
      return { perSecond: sent / (WATCHED_MS / 1000), uncertain };
    });
  }

  /** Messages a second, from the call until all who get it at once have it; planning included. */
  async #speed(side: Side): Promise<number> {
    return await this.#through(side, async (campaign) => {
      const enough = Math.floor(this.count * (side.share ?? 1));
      const startedMs = performance.now();
      await this.server.call("POST", `/campaigns/${campaign}/send`);
      for (;;) {
        const { sent } = (await this.server.call("GET", `/campaigns/${campaign}/report`)).data;
        if (sent >= enough) return sent / ((performance.now() - startedMs) / 1000);
        await Bun.sleep(50);
      }
    });
  }

  /** With a new relay, about which the server has learned nothing yet; what is left is removed afterwards. */
  async #through<T>(
    { faults, connections = CONNECTIONS, domainLimits = "off" }: Side,
    run: (campaign: string) => Promise<T>,
  ): Promise<T> {
    const relay = await startRelay(faults);
    let campaign: string | null = null;
    try {
      const url = `smtp://127.0.0.1:${relay.port}/?maxConnections=${connections}`;
      const settings = [`smtpUrl=${url}`, `domainLimits=${domainLimits}`];
      await runPostrider(["settings", "set", "--data-dir", this.server.dataDir, ...settings]);
      const draft = { name: "Bench", subject: "Spring is here", body: letterHtml(), listId: this.listId };
      campaign = (await this.server.call("POST", "/campaigns", draft)).data.id;
      return await run(campaign);
    } finally {
      await relay.stop();
      if (campaign !== null) await this.server.call("DELETE", `/campaigns/${campaign}`);
    }
  }
}

async function startRelay(faults: Faults): Promise<Running & { readonly port: number }> {
  const script = resolve(import.meta.dir, "processes/relay-main.ts");
  const child = Bun.spawn([process.execPath, script, JSON.stringify(faults)], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  if (value === undefined) throw new Error("the relay does not start");
  return {
    pid: child.pid,
    port: Number(new TextDecoder().decode(value)),
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

export const row = (
  what: string,
  ours: number,
  reference: string,
  theirs: number,
  goal: Row["goal"],
): Row => ({
  what,
  ours,
  reference,
  theirs,
  goal,
});
