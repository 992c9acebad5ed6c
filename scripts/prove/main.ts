/**
 * `bun run prove [NAME…]`: what Postrider promises of a running server, tried on one from outside. Prints a table for each, and ends with 1
 * where a promise is broken. Uses dist/postrider if it was built, or the executable POSTRIDER names.
 */
import { proveStalls } from "./stalls.ts";

const PROOFS: Readonly<Record<string, () => Promise<boolean>>> = { stalls: proveStalls };

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in PROOFS));
if (unknown !== undefined) {
  console.error(`There is no proof "${unknown}". There are: ${Object.keys(PROOFS).join(", ")}.`);
  process.exit(2);
}

let holds = true;
for (const name of wanted.length > 0 ? wanted : Object.keys(PROOFS)) holds = (await PROOFS[name]!()) && holds;
process.exit(holds ? 0 : 1);
