/**
 * Measures Postrider against references in the same run, and prints a table of ratios. It is no part of the
 * test suite.
 *
 *     bun run bench [NAME…]
 *
 * Needs Debian's `postfix` (smtp-sink, smtp-source) and `wrk` on the PATH, and a machine that does nothing
 * else. Run `sh scripts/build` before it, or the source is measured.
 */
import { audienceBench } from "./audience.ts";
import { automationsBench } from "./automations.ts";
import { campaignBench } from "./campaign.ts";
import { importBench } from "./import.ts";
import { pagesBench } from "./pages.ts";
import { relaysBench } from "./relays.ts";
import { routesBench } from "./routes.ts";
import { waitsBench } from "./send-waits.ts";
import { startupBench } from "./startup.ts";
import { lineOf, type Row } from "./table.ts";

/** Each takes one to some minutes; all together about a quarter of an hour. */
const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  campaign: () => campaignBench(),
  relays: () => relaysBench(),
  waits: () => waitsBench(),
  pages: () => pagesBench(),
  routes: () => routesBench(),
  import: () => importBench(),
  startup: () => startupBench(),
  automations: () => automationsBench(),
  audience: () => audienceBench(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in BENCHES));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}

for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  const rows = await BENCHES[name]!();
  console.log(`\n${name}`);
  console.table(rows.map(lineOf));
}
