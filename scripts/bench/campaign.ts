import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bestFigures, ROUNDS } from "./figures/best.ts";
import { composedLetter, LETTERS, type LetterSort } from "./data/letter.ts";
import { runPostrider, startPostrider, startSink, type Postrider } from "./processes/processes.ts";
import type { Row } from "./figures/table.ts";

/** `CAMPAIGN_MESSAGES=N` makes the campaigns smaller or larger. */
export const CAMPAIGN_MESSAGES = Number(process.env["CAMPAIGN_MESSAGES"] ?? 20_000);
export const SINK_PORT = 18_025;
export const CONNECTIONS = 10;
/** The length of the plain messages that some references send. */
export const PLAIN_BYTES = 10_240;

/**
 * Messages a second of a campaign over ten connections, from the call to the last acceptance; planning
 * included.
 */
export async function sendCampaign(
  server: Postrider,
  listId: string,
  count: number,
  sort: LetterSort = "plain",
): Promise<number> {
  return await sendDraft(server, await draftCampaign(server, listId, sort), count);
}

/** A campaign to a list that is not sent yet; its id. */
export async function draftCampaign(
  server: Postrider,
  listId: string,
  sort: LetterSort = "plain",
): Promise<string> {
  const { subject, body } = LETTERS[sort];
  const { id } = (await server.call("POST", "/campaigns", { name: "Bench", subject, body, listId })).data;
  if (sort !== "plain") await server.call("PATCH", `/campaigns/${id}/options`, { personalize: true });
  return id;
}

/** Messages a second, as `sendCampaign`. */
export async function sendDraft(server: Postrider, id: string, count: number): Promise<number> {
  const startedMs = performance.now();
  let { complete } = (await server.call("POST", `/campaigns/${id}/send`)).data;
  while (!complete) {
    await Bun.sleep(100);
    complete = (await server.call("GET", `/campaigns/${id}/report`)).data.remaining === 0;
  }
  return count / ((performance.now() - startedMs) / 1000);
}

/** A list of so many SUBSCRIBED people. */
export async function audience(
  server: Postrider,
  count: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const file = join(server.dataDir, "people.csv");
  const rows = Array.from({ length: count }, (_, n) => `reader${n}@example${n % 50}.com,First${n}`);
  writeFileSync(file, `email,firstName\n${rows.join("\n")}\n`);
  const listId = (await server.call("POST", "/lists", { name: "Readers" })).data.id;
  const place = ["--data-dir", server.dataDir];
  const people = ["import", "contacts", file, ...place, "--status", "SUBSCRIBED", "--list", listId];
  await runPostrider(people, environment);
  return listId;
}

/** @param bytes the length of a plain message; the one that Postrider makes where it is left out */
export async function barePool(count: number, bytes?: number): Promise<number> {
  const script = resolve(import.meta.dir, "references/bare-pool.ts");
  const args = [SINK_PORT, count, CONNECTIONS, ...(bytes === undefined ? [] : [bytes])].map(String);
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe" });
  return Number(await new Response(child.stdout).text());
}

export async function smtpSource(count: number, bytes: number): Promise<number> {
  const startedMs = performance.now();
  const envelope = ["-f", "a@example.org", "-t", "b@example.com"];
  const flags = ["-d", "-s", String(CONNECTIONS), "-l", String(bytes), "-m", String(count), ...envelope];
  await Bun.spawn(["smtp-source", ...flags, `127.0.0.1:${SINK_PORT}`]).exited;
  return count / ((performance.now() - startedMs) / 1000);
}

/** RSA-2048 signatures a second of `crypto.subtle` with nothing else to do, with so many requested at once. */
async function signatures(atOnce: number): Promise<number> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, false, ["sign"]);
  const count = 4_000;
  let next = 0;
  const signOn = async (): Promise<void> => {
    while (next++ < count) await crypto.subtle.sign(algorithm.name, privateKey, new Uint8Array(700));
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, signOn));
  return count / ((performance.now() - startedMs) / 1000);
}

/** Sending against its references, all to the same smtp-sink on this machine. Prints each figure as it comes. */
export async function campaignBench(count = CAMPAIGN_MESSAGES): Promise<Row[]> {
  const sink = await startSink(SINK_PORT);
  const server = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}/?maxConnections=${CONNECTIONS}`);
  const ourBytes = Buffer.byteLength(composedLetter());
  const { best, measure } = bestFigures();
  try {
    const listId = await audience(server, count);
    for (let round = 0; round < ROUNDS; round++) {
      await measure("pool", () => barePool(count));
      await measure("smallPool", () => barePool(count, PLAIN_BYTES));
      await measure("ours", () => sendCampaign(server, listId, count));
      await measure("holes", () => sendCampaign(server, listId, count, "holes"));
      await measure("conditions", () => sendCampaign(server, listId, count, "conditions"));
      // Twice as many, so that the measurement takes about as long as the others.
      await measure("source", () => smtpSource(2 * count, PLAIN_BYTES));
      await measure("sourceOfOurs", () => smtpSource(2 * count, ourBytes));
    }
    await runPostrider(["dkim", "create", "--data-dir", server.dataDir]);
    for (let round = 0; round < ROUNDS; round++) {
      await measure("oneByOne", () => signatures(1));
      await measure("atOnce", () => signatures(CONNECTIONS));
      await measure("signed", () => sendCampaign(server, listId, count));
    }
  } finally {
    await server.stop();
    await sink.stop();
  }
  const what = `campaign of ${count}, messages/s`;
  const signed = `the same with DKIM RSA-2048`;
  return [
    row(what, best("ours"), "bare nodemailer pool, the same bytes", best("pool"), 1.2),
    row(what, best("ours"), `bare nodemailer pool, ${PLAIN_BYTES} bytes`, best("smallPool"), 1.2),
    row(what, best("ours"), `smtp-source -l ${PLAIN_BYTES}`, best("source"), 0.5),
    row(what, best("ours"), `smtp-source -l ${ourBytes}, as many bytes as ours`, best("sourceOfOurs"), null),
    row(
      "the same, personalized (holes only)",
      best("holes"),
      "the same campaign as written",
      best("ours"),
      0.9,
    ),
    row(
      "the same, personalized (with conditions)",
      best("conditions"),
      "the same campaign as written",
      best("ours"),
      0.5,
    ),
    row(signed, best("signed"), "signatures/s of crypto.subtle, one after the other", best("oneByOne"), 0.8),
    row(
      signed,
      best("signed"),
      `signatures/s of crypto.subtle, ${CONNECTIONS} at once`,
      best("atOnce"),
      null,
    ),
  ];
}

export const row = (
  what: string,
  ours: number,
  reference: string,
  theirs: number,
  ratioAtLeast: number | null,
): Row => ({ what, ours, reference, theirs, goal: ratioAtLeast === null ? null : { ratioAtLeast } });
