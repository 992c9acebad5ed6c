import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { letterHtml } from "./letter.ts";
import { memoryMb, runPostrider, startPostrider, startSink, type Postrider } from "./processes.ts";
import type { Row } from "./table.ts";

const SINK_PORT = 18_025;
const CONNECTIONS = 10;

export type CampaignFigures = { perSecond: number; memoryMb: number };

/** A campaign to `count` recipients over ten connections, from the call to the last acceptance; planning included. */
async function sendCampaign(count: number): Promise<CampaignFigures> {
  const server = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}/?maxConnections=${CONNECTIONS}`);
  try {
    const listId = await audience(server, count);
    const draft = { name: "Bench", subject: "Spring is here", body: letterHtml(), listId };
    const { data } = await server.call("POST", "/campaigns", draft);
    const startedMs = performance.now();
    let most = 0;
    let { complete } = (await server.call("POST", `/campaigns/${data.id}/send`)).data;
    while (!complete) {
      await Bun.sleep(100);
      most = Math.max(most, memoryMb(server.pid));
      const report = (await server.call("GET", `/campaigns/${data.id}/report`)).data;
      complete = report.remaining === 0;
    }
    most = Math.max(most, memoryMb(server.pid));
    return { perSecond: count / ((performance.now() - startedMs) / 1000), memoryMb: most };
  } finally {
    await server.stop();
  }
}

async function audience(server: Postrider, count: number): Promise<string> {
  const file = join(server.dataDir, "people.csv");
  const rows = Array.from({ length: count }, (_, n) => `reader${n}@example${n % 50}.com,First${n}`);
  writeFileSync(file, `email,firstName\n${rows.join("\n")}\n`);
  const listId = (await server.call("POST", "/lists", { name: "Readers" })).data.id;
  await runPostrider([
    "import",
    "contacts",
    file,
    "--data-dir",
    server.dataDir,
    "--status",
    "SUBSCRIBED",
    "--list",
    listId,
    "--json",
  ]);
  return listId;
}

async function barePool(count: number): Promise<number> {
  const script = resolve(import.meta.dir, "bare-pool.ts");
  const child = Bun.spawn([process.execPath, script, String(SINK_PORT), String(count), String(CONNECTIONS)], {
    stdout: "pipe",
  });
  return Number(await new Response(child.stdout).text());
}

async function smtpSource(count: number): Promise<number> {
  const startedMs = performance.now();
  const flags = [
    "-d",
    "-s",
    String(CONNECTIONS),
    "-l",
    "10240",
    "-m",
    String(count),
    "-f",
    "a@example.org",
    "-t",
    "b@example.com",
  ];
  await Bun.spawn(["smtp-source", ...flags, `127.0.0.1:${SINK_PORT}`]).exited;
  return count / ((performance.now() - startedMs) / 1000);
}

/** Sending against its references, all to the same smtp-sink on this machine. */
export async function campaignBench(count: number): Promise<Row[]> {
  const sink = await startSink(SINK_PORT);
  try {
    const bare = await barePool(count);
    const ours = await sendCampaign(count);
    const source = await smtpSource(count);
    return [
      {
        what: `campaign of ${count}, messages/s`,
        ours: ours.perSecond,
        reference: "bare nodemailer pool",
        theirs: bare,
        goal: { ratioAtLeast: 1.2 },
      },
      { what: "the same", ours: ours.perSecond, reference: "smtp-source", theirs: source, goal: { ratioAtLeast: 0.5 } },
      {
        what: `most memory while sending, MB`,
        ours: ours.memoryMb,
        reference: "limit",
        theirs: 150,
        goal: { atMost: 150 },
      },
    ];
  } finally {
    await sink.stop();
  }
}
