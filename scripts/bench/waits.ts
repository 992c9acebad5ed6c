/** How a send to a million recipients affects everybody else, and the server's memory. */
import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokensOf } from "#deliveries/token.ts";
import { startClient, type ClientWaits } from "./processes/client.ts";
import { letterHtml } from "./data/letter.ts";
import type { Orders } from "./processes/open-loop.ts";
import { memoryMb, runPostrider, startPostrider, startSink, type Postrider } from "./processes/processes.ts";
import type { Row } from "./figures/table.ts";
import { waitAt } from "./figures/waits.ts";

const PORT = 18_401;
const SINK_PORT = 18_402;
const CONNECTIONS = 10;
const FEW = 10_000;
const IDLE_MS = 20_000;
const WORST_WAIT_MS = 50;
const SEND = "POST /send, with the relay's dialogue";

type Phase = { readonly waits: ClientWaits; readonly memoryMb: number };

export async function waitsBench(recipients = 1_000_000): Promise<Row[]> {
  const sink = await startSink(SINK_PORT);
  const server = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}/?maxConnections=${CONNECTIONS}`, PORT);
  try {
    const few = await campaignTo(server, FEW, "few");
    const many = await campaignTo(server, recipients, "many");
    await server.call("POST", `/campaigns/${few}/send`);
    const orders = ordersFor(server, many);
    // The first request of each kind warms up the server and does not count.
    await phase(server, orders, () => Bun.sleep(2_000));
    const idle = await phase(server, orders, () => Bun.sleep(IDLE_MS));
    const small = await phase(server, orders, async () =>
      sendOut(server, await campaignTo(server, FEW, "few again")),
    );
    const busy = await phase(server, orders, () => sendOut(server, many));
    return [
      ...waitRows(recipients, idle.waits, busy.waits),
      memoryRow(recipients, small, busy),
      limitRow(busy),
    ];
  } finally {
    await server.stop();
    await sink.stop();
  }
}

function waitRows(recipients: number, idle: ClientWaits, busy: ClientWaits): Row[] {
  return Object.keys(idle).flatMap((kind) => {
    const at = (name: string, share: number, goal: Row["goal"]): Row => ({
      what: `${kind} during a send to ${recipients}, ${name}, ms`,
      ours: waitAt(busy[kind]!, share),
      reference: "idle",
      theirs: waitAt(idle[kind]!, share),
      goal,
    });
    const goal = kind === SEND ? null : { atMost: WORST_WAIT_MS };
    return [at("p50", 0.5, null), at("p99", 0.99, null), at("p99.9", 0.999, goal), at("longest", 1, null)];
  });
}

const memoryRow = (recipients: number, small: Phase, busy: Phase): Row => ({
  what: `most memory while sending to ${recipients}, MB`,
  ours: busy.memoryMb,
  reference: `while sending to ${FEW}`,
  theirs: small.memoryMb,
  goal: { ratioAtMost: 1.3 },
});

const limitRow = (busy: Phase): Row => ({
  what: "the same",
  ours: busy.memoryMb,
  reference: "limit",
  theirs: 150,
  goal: { atMost: 150 },
});

/** A list of so many, and a campaign on it that is not sent yet. */
async function campaignTo(server: Postrider, count: number, name: string): Promise<string> {
  const file = join(server.dataDir, "people.csv");
  const rows = Array.from({ length: count }, (_, n) => `reader${n}@example${n % 50}.com,First${n}`);
  writeFileSync(file, `email,firstName\n${rows.join("\n")}\n`);
  const listId = (await server.call("POST", "/lists", { name })).data.id;
  const place = ["--data-dir", server.dataDir, "--list", listId, "--status", "SUBSCRIBED", "--json"];
  await runPostrider(["import", "contacts", file, ...place]);
  const draft = { name, subject: "Spring is here", body: letterHtml(), listId };
  return (await server.call("POST", "/campaigns", draft)).data.id;
}

/** From the call to the last acceptance. */
async function sendOut(server: Postrider, id: string): Promise<void> {
  let { remaining } = (await server.call("POST", `/campaigns/${id}/send`)).data;
  while (remaining > 0) {
    await Bun.sleep(200);
    remaining = (await server.call("GET", `/campaigns/${id}/report`)).data.remaining;
  }
}

/** The client sends requests while `work` runs. Also measures the most memory that the server used. */
async function phase(server: Postrider, orders: Orders, work: () => Promise<void>): Promise<Phase> {
  const stop = startClient(orders);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, memoryMb(server.pid))), 100);
  await work();
  clearInterval(watch);
  return { waits: await stop(), memoryMb: most };
}

function ordersFor({ url, key, dataDir }: Postrider, campaign: string): Orders {
  const database = new Database(join(dataDir, "postrider.db"), { readonly: true });
  const { id } = database.query<{ id: string }, []>("SELECT id FROM contacts LIMIT 1").get()!;
  const { secret } = database
    .query<{ secret: Uint8Array }, []>("SELECT signing_secret AS secret FROM instance")
    .get()!;
  database.close();
  const api = "/api/v1";
  return {
    url,
    key,
    requests: {
      "GET /contacts/{id}": { perSecond: 20, method: "GET", path: `${api}/contacts/${id}` },
      "GET /contacts": { perSecond: 20, method: "GET", path: `${api}/contacts?limit=20` },
      "POST /contacts": {
        perSecond: 20,
        method: "POST",
        path: `${api}/contacts`,
        body: { email: "new{n}@example.org", firstName: "Ada" },
      },
      "POST /events": {
        perSecond: 20,
        method: "POST",
        path: `${api}/events`,
        body: { name: "seen", email: "probe@example.org" },
      },
      "GET /campaigns/{id}/report": {
        perSecond: 20,
        method: "GET",
        path: `${api}/campaigns/${campaign}/report`,
      },
      "the pixel": { perSecond: 20, method: "GET", path: `/o/${tokensOf(secret, 1).open}` },
      [SEND]: {
        perSecond: 5,
        method: "POST",
        path: `${api}/send`,
        body: { to: "probe@example.org", subject: "Code", text: "1234" },
      },
    },
  };
}
