/** Webhooks: how much they slow down a campaign, and whether a dead receiver delays the others. */
import { resolve } from "node:path";
import { ROUNDS } from "./figures/best.ts";
import { audience, sendCampaign } from "./campaign.ts";
import {
  runPostrider,
  startPostrider,
  startSink,
  type Postrider,
  type Running,
} from "./processes/processes.ts";
import { lineOf, type Row } from "./figures/table.ts";

const SINK_PORT = 18_026;
const HOOK_PORT = 18_027;
const SERVER_PORT = 18_095;
/** Nobody listens there. */
const DEAD_PORT = 1;
const CONNECTIONS = 10;
const ENDPOINTS = 10;
const CONTACTS_A_CALL = 1_000;

type Taken = Readonly<Record<string, { readonly count: number; readonly longestMs: number }>>;

async function startHookSink(): Promise<Running> {
  const script = resolve(import.meta.dir, "processes/hook-sink.ts");
  const child = Bun.spawn([process.execPath, script, String(HOOK_PORT)], { stdout: "pipe" });
  await child.stdout.getReader().read();
  return {
    pid: child.pid,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

const taken = async (): Promise<Taken> =>
  (await (await fetch(`http://127.0.0.1:${HOOK_PORT}/`)).json()) as Taken;
const countOf = (all: Taken): number => Object.values(all).reduce((sum, { count }) => sum + count, 0);

async function untilTaken(count: number): Promise<Taken> {
  for (;;) {
    const all = await taken();
    if (countOf(all) >= count) return all;
    await Bun.sleep(100);
  }
}

/** Messages a second of a campaign without a webhook, and with one that receives an event for each message. */
async function beside(server: Postrider, count: number): Promise<Row> {
  const listId = await audience(server, count);
  const hook = { url: `http://127.0.0.1:${HOOK_PORT}/sent`, events: ["email.sent"] };
  const { id } = (await server.call("POST", "/webhooks", hook)).data;
  const enable = (enabled: boolean) => server.call("PATCH", `/webhooks/${id}`, { enabled });
  let [without, told] = [0, 0];
  for (let round = 1; round <= ROUNDS; round++) {
    await enable(false);
    without = Math.max(without, await sendCampaign(server, listId, count));
    await enable(true);
    told = Math.max(told, await sendCampaign(server, listId, count));
    await untilTaken(round * count);
  }
  await server.call("DELETE", `/webhooks/${id}`);
  return {
    what: `campaign of ${count} with a webhook for each message, messages/s`,
    ours: told,
    reference: "the same without",
    theirs: without,
    goal: { ratioAtLeast: 0.8 },
  };
}

/** So many events for ten receivers, one of them dead. */
async function withOneDead(server: Postrider, events: number): Promise<Row[]> {
  const before = countOf(await taken());
  for (let i = 0; i < ENDPOINTS; i++) {
    const port = i === 0 ? DEAD_PORT : HOOK_PORT;
    const hook = { url: `http://127.0.0.1:${port}/live-${i}`, events: ["contact.created"] };
    await server.call("POST", "/webhooks", hook);
  }
  const people = events / ENDPOINTS;
  const startedMs = performance.now();
  for (let made = 0; made < people; made += CONTACTS_A_CALL) {
    const contacts = Array.from({ length: Math.min(CONTACTS_A_CALL, people - made) }, (_, i) => ({
      email: `told-${made + i}@example.org`,
    }));
    await server.call("POST", "/contacts/bulk", { contacts });
  }
  const living = (events * (ENDPOINTS - 1)) / ENDPOINTS;
  const all = await untilTaken(before + living);
  const seconds = (performance.now() - startedMs) / 1000;
  const longestMs = Object.entries(all).map(([path, { longestMs: ms }]) =>
    path.startsWith("/live") ? ms : 0,
  );
  const none = { reference: "", theirs: NaN };
  return [
    {
      what: `${events} events, one of ten receivers dead: longest wait of the others, s`,
      ours: Math.max(...longestMs) / 1000,
      ...none,
      goal: { atMost: 60 },
    },
    { what: "of these, delivered per second", ours: living / seconds, ...none, goal: null },
  ];
}

export async function webhooksBench(count = 50_000, events = 100_000): Promise<Row[]> {
  const sink = await startSink(SINK_PORT);
  const hooks = await startHookSink();
  const relay = `smtp://127.0.0.1:${SINK_PORT}/?maxConnections=${CONNECTIONS}`;
  const server = await startPostrider(relay, SERVER_PORT);
  try {
    await runPostrider(["settings", "set", "--data-dir", server.dataDir, "allowPrivateWebhooks=on"]);
    return [await beside(server, count), ...(await withOneDead(server, events))];
  } finally {
    await server.stop();
    await hooks.stop();
    await sink.stop();
  }
}

if (import.meta.main) {
  const [count = "50000", events = "100000"] = process.argv.slice(2);
  console.table((await webhooksBench(Number(count), Number(events))).map(lineOf));
}
