/**
 * A node that sends from PostgreSQL, in its own process, for tests that kill it. It ends by itself when it has lost its
 * right to send.
 *
 *     bun test/support/chaos/node-child.ts --database URL --relay URL --workspace ID --campaign ID --lease MS
 *                                    [--mutant "no clock"]
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSending } from "#app/sending.ts";
import { openPostgresServices, type World } from "#app/services.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { ownNode, type OwnNode } from "#storage/postgres/ledger/nodes/node.ts";

const { values } = parseArgs({
  options: {
    database: { type: "string", default: "" },
    relay: { type: "string", default: "" },
    workspace: { type: "string", default: "" },
    campaign: { type: "string", default: "" },
    lease: { type: "string", default: "15000" },
    mutant: { type: "string" },
  },
});

const clock = systemClock;
const write = (line: string): void => void process.stderr.write(line);
const world: World = {
  clock,
  random: systemRandom,
  log: createLog({ level: "error", format: "json", clock, write }),
};

const node = ownNode(clock, { name: "node", version: "test", leaseMs: Number(values.lease) });
const hasNoClock = values.mutant === "no clock";
const withoutClock: OwnNode = Object.create(node, { checkLease: { value: () => undefined } });
const place = {
  url: values.database,
  prepare: true,
  dataDir: mkdtempSync(join(tmpdir(), "postrider-node-")),
  node: hasNoClock ? withoutClock : node,
};

const services = await openPostgresServices(place, world);
const { takeover, heart } = await services.engine.join();
// Without the clock, it takes a while until the process notices.
void heart.lost.then(() => setTimeout(() => process.exit(1), hasNoClock ? 1_000 : 0));
const relays = unwrap(parseRelayUrls(values.relay));
const options = { run: takeover.run, relays, baseUrl: "https://mail.example.org" };
const sending = openSending(services, world, options);
await sending.start();
const campaign = await services.campaigns.find(values.workspace, values.campaign);
if (campaign.status === "DRAFT") {
  const how = { excludeEmails: [], overrideQuietHours: true, scheduledAt: null };
  await sending.campaigns.start(values.workspace, values.campaign, how).catch(unlessAnotherBegan);
}
// The sender's timers keep no process alive.
setInterval(() => {}, 60_000);

/** All nodes begin it at once, and one of them does. */
function unlessAnotherBegan(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "WRONG_STATE")) throw error;
}
