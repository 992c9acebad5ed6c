/**
 * A sending server in its own process, for tests that kill it. Prints `ready` when it sends.
 *
 *     bun test/support/chaos/server-child.ts --data DIR --relay URL --workspace ID --campaign ID
 *                                      [--record-late] [--threads N] [--crashes SHARE]
 *
 * `--record-late` breaks the promise on purpose, to show that the test notices: nothing is committed before
 * the dot, and everything after the reply.
 *
 * `--threads`: conversations with relays are held in so many threads. `--crashes`: each of them ends itself at one of
 * its orders, with this probability.
 */
import { parseArgs } from "node:util";
import { openSending } from "#app/sending.ts";
import { openServices, type SqliteServices, type World } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { breakingThread } from "../sending/breaking-thread.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "" },
    relay: { type: "string", default: "" },
    workspace: { type: "string", default: "" },
    campaign: { type: "string", default: "" },
    "record-late": { type: "boolean", default: false },
    threads: { type: "string", default: "0" },
    crashes: { type: "string", default: "" },
  },
});

const clock = systemClock;
const log = createLog({
  level: "warn",
  format: "json",
  clock,
  write: (line) => void process.stderr.write(line),
});
const world: World = { clock, random: systemRandom, log };

/** The order that other software uses: send first, then record it. */
const recordLate = (services: SqliteServices): SqliteServices => ({
  ...services,
  ledger: { ...services.ledger, claimDot: async () => "dot" },
});

const opened = openServices(values.data, world);
const services = values["record-late"] ? recordLate(opened) : opened;
await services.ledger.sweep(clock.now());
const { run } = await services.ledger.join(clock.now(), false);
const relays = unwrap(parseRelayUrls(values.relay));
const sending = openSending(services, world, {
  run,
  relays,
  baseUrl: "https://mail.example.org",
  senderThreads: Number(values.threads),
  ...(values.crashes === "" ? {} : { startSenderThread: () => breakingThread(Number(values.crashes)) }),
});
await sending.start();
process.stdout.write("ready\n");
const campaign = await services.campaigns.find(values.workspace, values.campaign);
if (campaign.status !== "SENT") {
  const options = { excludeEmails: [], overrideQuietHours: true, scheduledAt: null };
  await sending.campaigns.start(values.workspace, values.campaign, options);
}
// The sender's timers keep no process alive.
setInterval(() => {}, 60_000);
