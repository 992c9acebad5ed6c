/**
 * The main promise on several nodes: a campaign is sent by nodes that are killed, stopped for longer than their lease
 * and cut off from PostgreSQL, which is killed too. Then every recipient must be accounted for.
 *
 *     bun scripts/chaos.ts [--nodes 3] [--recipients 100000] [--connections 20] [--kill 20] [--stop 5] [--crash 5]
 *                          [--partition 5] [--takeover 1] [--opt-outs 500]
 *                         [--lease 15000] [--puts-off-every 97] [--seed N] [--mutant "no fence"|"no clock"]
 *
 * Prints the figures as JSON. Exits with 1 if a promise was broken. The mutants are the controls: they must fail.
 */
import { parseArgs } from "node:util";
import { brokenPromises, type ChaosOptions, type Mutant } from "../test/support/chaos/chaos-figures.ts";
import { chaosRun } from "../test/support/chaos/chaos-run.ts";

const number = (value: number) => ({ type: "string", default: String(value) }) as const;
const { values } = parseArgs({
  options: {
    nodes: number(3),
    recipients: number(100_000),
    connections: number(20),
    kill: number(20),
    stop: number(5),
    crash: number(5),
    partition: number(5),
    takeover: number(0),
    "opt-outs": number(500),
    lease: number(15_000),
    "puts-off-every": number(97),
    seed: number(Math.floor(Math.random() * 1e9)),
    mutant: { type: "string" },
  },
});

const options: ChaosOptions = {
  nodes: Number(values.nodes),
  recipients: Number(values.recipients),
  connections: Number(values.connections),
  faults: {
    kill: Number(values.kill),
    stop: Number(values.stop),
    crash: Number(values.crash),
    partition: Number(values.partition),
    takeover: Number(values.takeover),
  },
  leaseMs: Number(values.lease),
  putsOffEvery: Number(values["puts-off-every"]),
  optOuts: Number(values["opt-outs"]),
  seed: Number(values.seed),
  ...(values.mutant !== undefined && { mutant: values.mutant as Mutant }),
};
const figures = await chaosRun(options, (line) => console.error(line));
console.log(JSON.stringify({ ...options, ...figures }, null, 2));
const broken = brokenPromises(options, figures);
for (const promise of broken) console.error(promise);
process.exit(broken.length === 0 ? 0 : 1);
