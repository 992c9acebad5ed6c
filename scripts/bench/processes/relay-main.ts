// A relay with a fault, in a process of its own: bun scripts/bench/processes/relay-main.ts FAULTS (as JSON); prints its
// port once it listens.
import { startTinySink, type Faults } from "./tiny-sink.ts";

console.log(startTinySink(0, JSON.parse(process.argv[2] ?? "{}") as Faults).port);
