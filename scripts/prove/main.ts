/**
 * `bun run prove [NAME [WORD…]]`: what Postrider promises of a running server, tried on one from outside.
 * Prints a table for each, and ends with 1 where a promise is broken. Uses dist/postrider if it was built, or
 * the executable POSTRIDER names.
 */
import { proveStalls } from "./stalls.ts";

const PROOFS: Readonly<Record<string, (words: readonly string[]) => Promise<boolean>>> = {
  stalls: proveStalls,
};

const [wanted, ...words] = process.argv.slice(2);
if (wanted !== undefined && !(wanted in PROOFS)) {
  console.error(`There is no proof "${wanted}". There are: ${Object.keys(PROOFS).join(", ")}.`);
  process.exit(2);
}

let holds = true;
for (const name of wanted === undefined ? Object.keys(PROOFS) : [wanted])
  holds = (await PROOFS[name]!(words)) && holds;
process.exit(holds ? 0 : 1);
