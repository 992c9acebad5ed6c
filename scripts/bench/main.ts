/**
 * Measures Postrider against references in the same run, and prints a table of ratios. It is no part of the
 * test suite.
 *
 *     bun run bench [NAME…]
 *
 * Needs Debian's `postfix` (smtp-sink, smtp-source) and `wrk` on the PATH, and a machine that does nothing
 * else. Run `sh scripts/build` before it, or the source is measured.
 *
 * Here stands what is measured. `references/` has what it is compared with, `processes/` starts, loads and stops
 * servers, `data/` fills their databases and writes their letters, `figures/` is how results are read and shown.
 */
import { segmentsBench } from "./audience.ts";
import { importsBench } from "./audience-import.ts";
import { automationsBench } from "./automations.ts";
import { bytesBench } from "./bytes.ts";
import { campaignBench } from "./campaign.ts";
import { crowdedBench } from "./crowded.ts";
import { importBench } from "./import.ts";
import { nodesBench } from "./nodes.ts";
import { pagesBench } from "./pages.ts";
import { domainsBench } from "./domains.ts";
import { relaysBench } from "./relays.ts";
import { routesBench } from "./routes.ts";
import { waitsBench } from "./waits.ts";
import { consolesBench } from "./consoles.ts";
import { screensBench } from "./screens.ts";
import { startupBench } from "./startup.ts";
import { webhooksBench } from "./webhooks.ts";
import { lineOf, type Row } from "./figures/table.ts";

/**
 * Each takes one to some minutes; all together about a quarter of an hour. `campaign` sends 20,000 messages a time,
 * or CAMPAIGN_MESSAGES, and prints each figure as it comes.
 */
const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  bytes: () => bytesBench(),
  campaign: () => campaignBench(),
  crowded: () => crowdedBench(),
  relays: () => relaysBench(),
  domains: () => domainsBench(),
  waits: () => waitsBench(),
  consoles: () => consolesBench(),
  screens: () => screensBench(),
  pages: () => pagesBench(),
  routes: () => routesBench(),
  import: () => importBench(),
  startup: () => startupBench(),
  automations: () => automationsBench(),
  segments: () => segmentsBench(),
  imports: () => importsBench(),
  webhooks: () => webhooksBench(),
  nodes: () => nodesBench(),
};

/** Names for several at once. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = { audience: ["segments", "imports"] };

const wanted = process.argv.slice(2);
const names = [...Object.keys(BENCHES), ...Object.keys(TOGETHER)];
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${names.join(", ")}.`);
  process.exit(2);
}

const chosen = wanted.flatMap((name) => TOGETHER[name] ?? [name]);
for (const name of chosen.length > 0 ? chosen : Object.keys(BENCHES)) {
  const rows = await BENCHES[name]!();
  console.log(`\n${name}`);
  console.table(rows.map(lineOf));
}
