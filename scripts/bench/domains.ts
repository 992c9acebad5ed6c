/**
 * How much one domain of fifty costs the others if it is limited, or says that mail comes too fast. Each is
 * compared with the same campaign without it, in the same run.
 */
import { audience } from "./campaign.ts";
import { startPostrider } from "./processes/processes.ts";
import { RelayBench, row } from "./relays.ts";
import type { Row } from "./figures/table.ts";

const PORT = 18_502;
/** One of the fifty domains of the audience. */
const DOMAIN = "example7.com";
/** The share of everybody else. */
const SHARE = 0.98;
const GOAL = { ratioAtLeast: 0.9 };

export async function domainsBench(count = 20_000): Promise<Row[]> {
  const server = await startPostrider("smtp://127.0.0.1:1", PORT);
  try {
    const bench = new RelayBench(server, await audience(server, count), count);
    const [throttled, free] = await bench.inTurn(
      { faults: { throttles: DOMAIN }, share: SHARE },
      { faults: {}, share: SHARE },
    );
    const [limited, unlimited] = await bench.inTurn(
      { faults: {}, share: SHARE, domainLimits: `${DOMAIN} 1/hour` },
      { faults: {}, share: SHARE },
    );
    return [
      row(
        "one domain in fifty says that mail comes too fast: the others, messages/s",
        throttled,
        "the same where it does not",
        free,
        GOAL,
      ),
      row(
        "one domain in fifty has a limit: the others, messages/s",
        limited,
        "the same without the limit",
        unlimited,
        GOAL,
      ),
    ];
  } finally {
    await server.stop();
  }
}
