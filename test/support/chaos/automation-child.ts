/**
 * A server that runs automations in its own process, for tests that kill it.
 *
 *     bun test/support/chaos/automation-child.ts --data DIR [--database URL] --relay URL --base MS [--record-late]
 *
 * From the instant `--base` on, its clock runs 60 times as fast, so a wait of a minute takes a second.
 * `--record-late` breaks the promise on purpose, to show that the test notices: nothing is committed before
 * the dot.
 */
import { parseArgs } from "node:util";
import { openSending } from "#app/sending.ts";
import type { SqliteServices, World } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { fastClock } from "../common/fast-clock.ts";
import { joinAsSender, openTestServices } from "../server/services.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "" },
    database: { type: "string" },
    relay: { type: "string", default: "" },
    base: { type: "string", default: "0" },
    "record-late": { type: "boolean", default: false },
  },
});

const clock = fastClock(Number(values.base));
const log = createLog({
  level: "error",
  format: "json",
  clock: systemClock,
  write: (line) => void process.stderr.write(line),
});
const world: World = { clock, random: systemRandom, log };
const opened = await openTestServices({ url: values.database ?? null }, values.data, world);
const services: SqliteServices = values["record-late"]
  ? { ...opened, ledger: { ...opened.ledger, claimDot: async () => "dot" } }
  : opened;
const { run, lost } = await joinAsSender(services, clock.now());
// Ends as a server does; the test starts another.
void lost.then(() => process.exit(1));
const relays = unwrap(parseRelayUrls(values.relay));
const sending = openSending(services, world, { run, relays, baseUrl: "https://mail.example.org" });
await sending.start();
process.stdout.write("ready\n");
// The engine's timers keep no process alive.
setInterval(() => {}, 60_000);
