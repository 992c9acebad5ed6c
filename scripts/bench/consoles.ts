/** How much three open consoles slow down a campaign that is being sent, and how long their requests wait. */
import { ROUNDS } from "./figures/best.ts";
import { audience, draftCampaign, sendCampaign, sendDraft } from "./campaign.ts";
import { startClient, type ClientWaits } from "./processes/client.ts";
import type { Orders } from "./processes/open-loop.ts";
import { startPostrider, startSink, type Postrider } from "./processes/processes.ts";
import type { Row } from "./figures/table.ts";
import { waitAt } from "./figures/waits.ts";

const PORT = 18_511;
const SINK_PORT = 18_512;
const CONNECTIONS = 10;
const CONSOLES = 3;
const WORST_WAIT_MS = 50;

export async function consolesBench(count = 20_000): Promise<Row[]> {
  const sink = await startSink(SINK_PORT);
  const server = await startPostrider(`smtp://127.0.0.1:${SINK_PORT}/?maxConnections=${CONNECTIONS}`, PORT);
  try {
    const listId = await audience(server, count);
    // The first run warms everything up.
    await sendCampaign(server, listId, count);
    const best = { alone: 0, watched: 0 };
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      best.alone = Math.max(best.alone, await sendCampaign(server, listId, count));
      const campaign = await draftCampaign(server, listId);
      const stop = startClient(consoles(server, campaign));
      best.watched = Math.max(best.watched, await sendDraft(server, campaign, count));
      waits.push(...allOf(await stop()));
    }
    return [
      {
        what: `campaign to ${count} with ${CONSOLES} consoles open, messages/s`,
        ours: best.watched,
        reference: "with none",
        theirs: best.alone,
        goal: { ratioAtLeast: 0.9 },
      },
      {
        what: "longest wait of a console's request meanwhile, ms",
        ours: waitAt(waits, 1),
        reference: "limit",
        theirs: WORST_WAIT_MS,
        goal: { atMost: WORST_WAIT_MS },
      },
    ];
  } finally {
    await server.stop();
    await sink.stop();
  }
}

/** One console shows the report, one the overview, one scrolls through contacts: more often than people do. */
function consoles({ url, key }: Postrider, campaign: string): Orders {
  const get = (path: string) => ({ perSecond: CONSOLES, method: "GET", path: `/api/v1${path}` });
  return {
    url,
    key,
    requests: {
      report: get(`/campaigns/${campaign}/report`),
      timeline: get(`/campaigns/${campaign}/timeline?step=hour`),
      people: get(`/campaigns/${campaign}/deliveries?limit=50`),
      campaigns: get("/campaigns?limit=50"),
      stats: get("/stats?step=day"),
      contacts: get("/contacts?limit=100&include=attributes"),
    },
  };
}

const allOf = (waits: ClientWaits): number[] => Object.values(waits).flat();
