/**
 * The main promise at full size: a server is killed again and again while it sends one campaign. Then every
 * recipient must be accounted for.
 *
 *     bun scripts/kill-test.ts [--recipients 10000] [--kills 100] [--connections 10] [--seed N]
 *                              [--record-late] [--pauses 100] [--by-domain]
 *
 * With `--pauses`, the campaign is paused and resumed so often, and killed in between.
 *
 * With `--by-domain`, one domain has limits and another says at random that mail comes too fast.
 *
 * Prints the figures as JSON. Exits with 1 if somebody was mailed twice or lost. `--record-late` is the
 * control: a server that records a message after the reply, as others do, must fail.
 */
import { parseArgs } from "node:util";
import { killRun } from "../test/support/chaos/kill-run.ts";
import { pauseRun } from "../test/support/chaos/pause-run.ts";

const { values } = parseArgs({
  options: {
    recipients: { type: "string", default: "10000" },
    kills: { type: "string", default: "100" },
    connections: { type: "string", default: "10" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
    "record-late": { type: "boolean", default: false },
    "by-domain": { type: "boolean", default: false },
    pauses: { type: "string", default: "0" },
  },
});

const { seed } = values;
const options = {
  recipients: Number(values.recipients),
  connections: Number(values.connections),
  seed: Number(seed),
  recordLate: values["record-late"],
  byDomain: values["by-domain"],
};
const rounds = Number(values.pauses);
const messages = options.recipients / (rounds + 2);
const figures =
  rounds > 0
    ? await pauseRun({ ...options, rounds, messages, endsBy: "resume" })
    : { ...(await killRun({ ...options, kills: Number(values.kills) })), sentWhilePaused: 0 };
console.log(JSON.stringify({ seed: Number(seed), ...figures }, null, 2));
const kept =
  figures.duplicates === 0 &&
  figures.lost === 0 &&
  figures.sentWhilePaused === 0 &&
  figures.ledgerFaults.length === 0;
process.exit(kept ? 0 : 1);
