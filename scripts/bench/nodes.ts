/**
 * PostgreSQL beside SQLite in the same run: a campaign of one, two and four nodes, and requests to one node. The
 * nodes, PostgreSQL and the receiving server share the machine, so with few cores more nodes cannot be faster: then
 * the figure that counts is the processor time of a message. If the relay is what takes time, nodes do not slow
 * each other down; the last rows show that.
 */
import { readdirSync } from "node:fs";
import { startCluster, type Cluster } from "../../test/support/storage/postgres-cluster.ts";
import { ROUNDS } from "./figures/best.ts";
import { audience, sendCampaign } from "./campaign.ts";
import { load } from "./processes/load.ts";
import { cpuSeconds, timesOf, type ProcessTimes } from "./processes/process-times.ts";
import { startNode, startPostrider, startSink, type Postrider } from "./processes/processes.ts";
import { row } from "./relays.ts";
import type { Row } from "./figures/table.ts";
import { startTinySink } from "./processes/tiny-sink.ts";

const SINK_PORT = 18_027;
const PORT = 18_601;
/** The number of each node. */
const CONNECTIONS = 10;
const LOAD_SECONDS = 5;
/** How long the slow relay takes for each message, and how many messages each node sends to it. */
const SLOW_DOT_MS = 20;
const SLOW_MESSAGES = 4_000;

type Figures = {
  readonly perSecond: number;
  /** Processor time of the nodes and of their database. */
  readonly cpuMicros: number;
};

export async function nodesBench(count = 20_000): Promise<Row[]> {
  const sink = await startSink(SINK_PORT);
  try {
    const sqlite = await onSqlite(count);
    const one = await onPostgres(1, count);
    const two = await onPostgres(2, count);
    const four = await onPostgres(4, count);
    const slowOne = await throughSlowRelay(1);
    const slowTwo = await throughSlowRelay(2);
    return [
      row("one node, messages/s", one.sent.perSecond, "SQLite", sqlite.sent.perSecond, { ratioAtLeast: 0.5 }),
      row("the same, µs of processor a message", one.sent.cpuMicros, "SQLite", sqlite.sent.cpuMicros, {
        ratioAtMost: 1.6,
      }),
      row("two nodes, messages/s", two.sent.perSecond, "one node", one.sent.perSecond, null),
      row("the same, µs of processor a message", two.sent.cpuMicros, "one node", one.sent.cpuMicros, null),
      row("four nodes, messages/s", four.sent.perSecond, "one node", one.sent.perSecond, null),
      row("the same, µs of processor a message", four.sent.cpuMicros, "one node", one.sent.cpuMicros, null),
      row(
        `two nodes, a relay that takes ${SLOW_DOT_MS} ms a message, messages/s`,
        slowTwo,
        "one node",
        slowOne,
        { ratioAtLeast: 1.3 },
      ),
      row("POST /events to one node, requests/s", one.events, "SQLite", sqlite.events, null),
      row("POST /contacts, new, to one node, requests/s", one.contacts, "SQLite", sqlite.contacts, null),
      row("GET /contacts of one node, requests/s", one.pages, "SQLite", sqlite.pages, null),
    ];
  } finally {
    await sink.stop();
  }
}

type Side = {
  readonly sent: Figures;
  readonly events: number;
  readonly contacts: number;
  readonly pages: number;
};

const relay = (nodes: number, port = SINK_PORT): string =>
  `smtp://127.0.0.1:${port}/?maxConnections=${CONNECTIONS * nodes}`;

async function onSqlite(count: number): Promise<Side> {
  const server = await startPostrider(relay(1), PORT);
  try {
    return await measured(server, await audience(server, count), count, () => cpuSeconds(server.pid));
  } finally {
    await server.stop();
  }
}

async function onPostgres(nodes: number, count: number): Promise<Side> {
  return await withNodes(nodes, relay(nodes), count, measured);
}

/** Messages a second through a relay that delays each message, so that the processor is free. */
async function throughSlowRelay(nodes: number): Promise<number> {
  const slow = startTinySink(0, { dotTakesMs: SLOW_DOT_MS });
  const count = SLOW_MESSAGES * nodes;
  try {
    return await withNodes(nodes, relay(nodes, slow.port), count, (first, listId) =>
      sendCampaign(first, listId, count),
    );
  } finally {
    slow.stop();
  }
}

/** Runs `measure` beside so many nodes that share a PostgreSQL. `cpu` is that of all of them together. */
async function withNodes<T>(
  nodes: number,
  smtpUrl: string,
  count: number,
  measure: (first: Postrider, listId: string, count: number, cpu: () => number) => Promise<T>,
): Promise<T> {
  // As in real use: each commit is on the disk.
  const cluster = await startCluster([]);
  const environment = { DATABASE_URL: cluster.url };
  try {
    const first = await startPostrider(smtpUrl, PORT, environment);
    const others = await Promise.all(
      Array.from({ length: nodes - 1 }, (_, i) => startNode(smtpUrl, PORT + 1 + i, environment)),
    );
    const all = [first, ...others];
    try {
      const listId = await audience(first, count, environment);
      const cpu = (): number =>
        all.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0) + clusterSeconds(cluster);
      return await measure(first, listId, count, cpu);
    } finally {
      await Promise.all(all.map((node) => node.stop()));
    }
  } finally {
    await cluster.stop();
  }
}

async function measured(server: Postrider, listId: string, count: number, cpu: () => number): Promise<Side> {
  let best: Figures = { perSecond: 0, cpuMicros: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpu();
    const perSecond = await sendCampaign(server, listId, count);
    const cpuMicros = ((cpu() - before) / count) * 1e6;
    console.log(`${Math.round(perSecond)} messages/s, ${Math.round(cpuMicros)} µs each`);
    best = {
      perSecond: Math.max(best.perSecond, perSecond),
      cpuMicros: Math.min(best.cpuMicros, cpuMicros),
    };
  }
  const headers = { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json" };
  const email = `"known" .. (n % 1000) .. "@example.com"`;
  const perSecond = async (method: "GET" | "POST", path: string, body: string | null): Promise<number> => {
    const requests = { method, path: `"/api/v1${path}"`, headers, ...(body !== null && { body }) };
    return (await load(server, requests, LOAD_SECONDS, 0)).perSecond;
  };
  return {
    sent: best,
    events: await perSecond("POST", "/events", `'{"name":"order_placed","email":"' .. ${email} .. '"}'`),
    contacts: await perSecond("POST", "/contacts", `'{"email":"new' .. n .. '@example.com"}'`),
    pages: await perSecond("GET", "/contacts?limit=50", null),
  };
}

/** Processor time of PostgreSQL: of the processes that it has, and of those that have ended. */
function clusterSeconds({ pid }: Cluster): number {
  const running = readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .map(timesIfThere)
    .filter((one) => one !== null && (one.pid === pid || one.parent === pid));
  return timesOf(pid).ofEnded + running.reduce((sum, one) => sum + (one?.own ?? 0), 0);
}

/** Null: it has ended meanwhile. */
function timesIfThere(pid: number): ProcessTimes | null {
  try {
    return timesOf(pid);
  } catch {
    return null;
  }
}
