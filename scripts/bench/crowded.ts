/** A campaign beside two busy loops, which use both cores of a small machine. */
import { bestFigures, ROUNDS } from "./figures/best.ts";
import {
  audience,
  barePool,
  CAMPAIGN_MESSAGES,
  CONNECTIONS,
  PLAIN_BYTES,
  row,
  sendCampaign,
  SINK_PORT,
  smtpSource,
} from "./campaign.ts";
import { composedLetter } from "./data/letter.ts";
import { startPostrider, startSink } from "./processes/processes.ts";
import type { Row } from "./figures/table.ts";

export async function crowdedBench(count = CAMPAIGN_MESSAGES): Promise<Row[]> {
  const sink = await startSink(SINK_PORT);
  const ourBytes = Buffer.byteLength(composedLetter());
  const server = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}/?maxConnections=${CONNECTIONS}`);
  const { best, measure } = bestFigures();
  try {
    const listId = await audience(server, count);
    const loops = [0, 1].map(() => Bun.spawn([process.execPath, "-e", "for (;;);"]));
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await measure("pool", () => barePool(count));
        await measure("smallPool", () => barePool(count, PLAIN_BYTES));
        await measure("ours", () => sendCampaign(server, listId, count));
        await measure("sourceOfOurs", () => smtpSource(count, ourBytes));
      }
    } finally {
      for (const loop of loops) loop.kill("SIGKILL");
    }
  } finally {
    await server.stop();
    await sink.stop();
  }
  const what = `campaign of ${count} beside two busy loops, messages/s`;
  return [
    row(what, best("ours"), "bare nodemailer pool, the same bytes", best("pool"), null),
    row(what, best("ours"), `bare nodemailer pool, ${PLAIN_BYTES} bytes`, best("smallPool"), 1.2),
    row(
      `smtp-source -l ${ourBytes} beside them, as many bytes as ours`,
      best("sourceOfOurs"),
      `bare nodemailer pool, ${PLAIN_BYTES} bytes`,
      best("smallPool"),
      null,
    ),
  ];
}
