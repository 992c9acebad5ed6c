/**
 * `bun run bench [NAME…]`: measures Postrider against references in the same run and prints a table of ratios. No part of the
 * test suite. Wants Debian's `postfix` (smtp-sink, smtp-source) and `wrk` on the PATH and, for a fair run, `sh scripts/build` before.
 */
import { campaignBench } from "./campaign.ts";
import { lineOf, type Row } from "./table.ts";

const BENCHES: Readonly<Record<string, () => Promise<Row[]>>> = {
  campaign: () => campaignBench(50_000),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in BENCHES));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". There are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}

for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  const rows = await BENCHES[name]!();
  console.table(rows.map(lineOf));
}
