import { OPTIONS, type Config } from "#config.ts";
import { sleep } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { createLog, type Log } from "#log.ts";
import { bannerText } from "./banner.ts";
import type { Call, Command } from "#commands/line/command.ts";
import { configOf, optionFlags } from "#commands/line/option-flags.ts";
import { firstSignal } from "./first-signal.ts";
import { firstStartText } from "./first-start.ts";
import { startServer, type Server } from "./server.ts";

/**
 * Mail that is being handed to the relay, and requests that are being answered, get this long to finish
 * (docs/decisions.md "Running it").
 */
const GRACE_MS = 10_000;
/** What has not ended by then, because a database does not answer, ends with the process as if killed. */
export const END_MS = 30_000;

export const serve: Command = {
  name: "serve",
  says: "Serves the API, the public pages and the mail. This is the default command.",
  operands: [],
  flags: optionFlags(
    OPTIONS.map(({ variable }) => variable),
    ({ variable, says, byDefault }) => `${says} Or ${variable}. (${byDefault})`,
  ),
  takesJson: false,
  notes: [
    "The first start on an empty directory makes the workspace Default and prints its API key, once.",
    "SIGTERM, SIGINT and the end of its terminal end it in order within 10 seconds; another one, a second later, at once.",
  ],
  example: "serve --port 8025 --base-url https://mail.example.com",
  async run(call) {
    const config = configOf(call);
    const log = logTo(call, config);
    endOnCrash(log);
    const asked = firstSignal(call.clock);
    const server = await startServer(config, { clock: call.clock, random: systemRandom, log });
    endOnLoss(log, server.lost);
    const { firstWorkspace } = server;
    const welcome = firstWorkspace === null ? "" : firstStartText(config, firstWorkspace);
    await show(call, log, bannerText(config, server) + welcome, firstWorkspace !== null);
    const signal = await asked;
    log.info("stopping", { signal });
    const stopped = server.stop(GRACE_MS).then(() => true);
    const isInOrder = await Promise.race([stopped, sleep(call.clock, END_MS).then(() => false)]);
    if (isInOrder) log.info("stopped");
    else
      log.warn(
        "stopped, but not in order: something did not end in time, as a database that does not answer",
      );
  },
};

/**
 * Shows the start to a person. That the disk of the output is full, or nobody reads it, is no reason to end: the mail
 * needs neither.
 */
async function show({ output }: Call, log: Log, text: string, hasKey: boolean): Promise<void> {
  process.stdout.removeAllListeners("error");
  process.stdout.on("error", () => undefined);
  const advice = hasKey
    ? { advice: "nobody has seen the first API key: make another with `postrider key create`" }
    : {};
  await output
    .write(text)
    .catch((error: unknown) =>
      log.warn("the start could not be shown on standard output", { error, ...advice }),
    );
}

function logTo({ clock }: Call, { logLevel, logFormat }: Config): Log {
  return createLog({
    level: logLevel,
    format: logFormat,
    clock,
    write: (line) => void process.stderr.write(line),
  });
}

/**
 * Ends the process: what was committed may be gone after a power cut, whatever the disk reports next. The
 * database recovers when it is opened again.
 */
function endOnLoss(log: Log, lost: Server["lost"]): void {
  void lost.then(({ says, error }) => {
    log.error(`ended: ${says}`, { error });
    process.exit(1);
  });
}

/**
 * Ends the process after an error that nobody caught: the state is unknown, and the ledger is made for a
 * restart.
 */
function endOnCrash(log: Log): void {
  const end = (error: unknown): void => {
    log.error("ended by an unexpected error", { error });
    process.exit(1);
  };
  process.prependListener("uncaughtException", end);
  process.prependListener("unhandledRejection", end);
}
