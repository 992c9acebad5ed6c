/**
 * Tries Postrider's promises on a running server, from outside. Prints a table for each, and exits with 1 if
 * a promise is broken.
 *
 *     bun run prove [NAME [WORD…]]
 *
 * Uses the executable that POSTRIDER names, or dist/postrider if it was built.
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
