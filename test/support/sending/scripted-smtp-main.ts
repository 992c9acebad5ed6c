import { parseArgs } from "node:util";
import { scriptedSmtp } from "./scripted-smtp.ts";

// The scripted server in its own process, for tests that kill the sending one. Prints its port.
//     bun test/support/sending/scripted-smtp-main.ts --port 0 --log FILE [--extension PIPELINING]…
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    log: { type: "string" },
    extension: { type: "string", multiple: true },
  },
});
const server = scriptedSmtp({
  port: Number(values.port),
  forget: true,
  ...(values.log === undefined ? {} : { log: values.log }),
  ...(values.extension === undefined ? {} : { extensions: values.extension }),
});
console.log(server.port);
