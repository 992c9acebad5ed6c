// A relay with a fault, in a process of its own: bun scripts/bench/relay-main.ts PORT FAULTS (as JSON); prints a line once it listens.
import { startTinySink, type Faults } from "./tiny-sink.ts";

const [port = "", faults = "{}"] = process.argv.slice(2);
startTinySink(Number(port), JSON.parse(faults) as Faults);
console.log("listening");
