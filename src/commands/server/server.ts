import { present } from "#core/present.ts";
import { statfsSync } from "node:fs";
import {
  databasePath,
  lockServer,
  startCheckpoints,
  startIndexing,
  takeOverDatabase,
  type ServerLock,
  type Takeover,
} from "#app/database.ts";
import { eventLoopDelay, openHttp } from "#app/http.ts";
import { startInboundSmtp, startMailboxes } from "#app/inbound.ts";
import { openMail } from "#app/mail.ts";
import { openSending } from "#app/sending.ts";
import { openServices, type Services, type World } from "#app/services.ts";
import type { Config } from "#config.ts";
import { sleep } from "#core/clock.ts";
import { unwrap } from "#core/errors.ts";
import { StorageError } from "#core/storage-error.ts";
import { checkModes } from "#doctor/data-directory.ts";
import { checkFileSystem } from "#doctor/file-system.ts";
import type { Finding } from "#doctor/finding.ts";
import { listen } from "./listen.ts";
import { giveBackAfterStart } from "./start-memory.ts";

/** A running server. */
export type Server = {
  readonly mail: "smtp" | "captured";
  /** Where mail comes in; null if it does not. */
  readonly inbound: string | null;
  readonly takeover: Takeover;
  /** What is wrong with the data directory, and what to do about it. */
  readonly dataTrouble: readonly Finding[];
  /** Created at this start, if the data directory was empty. The key is known only here. */
  readonly firstWorkspace: FirstWorkspace | null;
  /** The token of the link that makes the first owner; null once somebody owns a workspace. */
  readonly ownerLink: string | null;
  /**
   * Resolves when the disk failed to keep what was committed. Only a restart helps then
   * (docs/failure-catalogue.md "D-23").
   */
  readonly lost: Promise<Error>;
  /** Stops in order: no new requests, no new mail. What has begun gets `graceMs` to finish. */
  stop(graceMs: number): Promise<void>;
};

export type FirstWorkspace = { readonly id: string; readonly key: string };

/** How often the run record is updated while the server runs: see `Takeover.beat`. */
const BEAT_EVERY_MS = 60_000;

/**
 * Starts everything in order: it takes the lock before it touches the database, and opens the port before
 * anything is sent. So a start that fails leaves no trace.
 * @throws with one line for a person: directory in use, damaged database, port in use
 */
export async function startServer(config: Config, world: World): Promise<Server> {
  const lock = unwrap(lockServer(config.dataDir, world.clock.now()));
  const services = openServices(config.dataDir, world);
  const takeover = await takeOverDatabase(services, world, lock);
  try {
    await services.backups.sweep();
    return await startOn({ config, world, lock, services, takeover });
  } catch (error) {
    await services.close();
    lock.release();
    throw error;
  }
}

type Taken = { config: Config; world: World; lock: ServerLock; services: Services; takeover: Takeover };

async function startOn({ config, world, lock, services, takeover }: Taken): Promise<Server> {
  const { clock, log } = world;
  const mail = await openMail(config.dataDir, config.relays, clock);
  const sending = openSending(services, world, {
    run: takeover.run,
    relays: mail.relays,
    baseUrl: config.baseUrl,
    isCaptured: mail.kind === "captured",
    inboundSmtp: config.inboundSmtp !== null,
  });
  const eventLoop = eventLoopDelay(clock);
  const http = openHttp(services, sending, world, config.isTrustedProxy, {
    ...mail,
    baseUrl: config.baseUrl,
    metricsToken: config.metricsToken,
    mailboxToken: config.mailboxToken,
    corsOrigins: config.corsOrigins,
    eventLoop,
  });
  const inbound = await openPorts(config, http, services, world);
  const listening = present(http.server, "server behind the port that was opened");
  const firstWorkspace =
    (await services.workspaces.list()).length === 0 ? await services.workspaces.create("Default") : null;
  const ownerLink = await services.users.firstLink();
  await sending.start();
  const mailboxes = startMailboxes(services, world);
  const dataTrouble = troubleWith(config.dataDir);
  reportStart({ config, world, takeover, dataTrouble, mail: mail.kind });
  const checkpoints = startCheckpoints(services, world);
  const indexing = startIndexing(services, world);
  const stopBeating = beatEvery(BEAT_EVERY_MS, world, takeover);
  eventLoop.start();
  const leaveMemory = giveBackAfterStart(clock, Bun.shrink);

  return {
    mail: mail.kind,
    inbound: inbound?.label ?? null,
    takeover,
    dataTrouble,
    firstWorkspace,
    ownerLink,
    lost: services.database.writes.lost,
    async stop(graceMs) {
      stopBeating();
      leaveMemory();
      eventLoop.stop();
      const closed = listening.stop(false);
      const taking = [inbound?.close(), mailboxes.stop(graceMs)];
      await Promise.all([...taking, sending.stop(graceMs), Promise.race([closed, sleep(clock, graceMs)])]);
      await listening.stop(true);
      await mail.close();
      await indexing.stop();
      await takeover
        .beat(clock.now())
        .catch((error: unknown) => log.error("the run record was not written", { error }));
      await checkpoints.stop();
      await services.close();
      lock.release();
    },
  };
}

/** Opens both ports, or none. Returns what takes mail; null if nothing does. */
async function openPorts(config: Config, http: Http, services: Services, world: World) {
  const { inboundSmtp: address, inboundTls: tls, baseUrl } = config;
  const inbound = address && (await startInboundSmtp(services, world, { address, tls, baseUrl }));
  try {
    listen(http, config);
    return inbound;
  } catch (error) {
    await inbound?.close();
    throw error;
  }
}

type Http = ReturnType<typeof openHttp>;

/** Logged at every start, because nobody runs the doctor every day. */
function troubleWith(dataDir: string): Finding[] {
  const disk = checkFileSystem(statfsSync(dataDir), process.platform);
  const modes = checkModes(dataDir, databasePath(dataDir));
  return [...(disk.result === "fail" ? [disk] : []), ...(modes.result === "ok" ? [] : [modes])];
}

type Start = Pick<Server, "takeover" | "dataTrouble" | "mail"> & { config: Config; world: World };

function reportStart({ config, world: { log }, takeover, dataTrouble, mail }: Start): void {
  const { run, uncertain, held, holdReason } = takeover;
  log.info("serving", { host: config.host, port: config.port, dataDir: config.dataDir, mail, run });
  for (const { message, advice } of dataTrouble) log.warn(message, { advice });
  if (mail === "captured") log.warn("mail is captured, not delivered: set SMTP_URL to deliver it");
  if (uncertain > 0)
    log.warn("messages whose outcome is unknown since the last end are not sent again", { uncertain });
  if (holdReason !== null)
    log.warn(
      "held until `postrider campaign release ID` (or automation, form): what was under way or scheduled",
      {
        held,
        reason: holdReason,
      },
    );
}

/**
 * A number that cannot be written now is written the next time. The failure is logged once, until a write
 * succeeds.
 */
function beatEvery(everyMs: number, { clock, log }: World, takeover: Takeover): () => void {
  let cancel = (): void => undefined;
  let hasFailed = false;
  const failed = (error: unknown): void => {
    // Trouble of the database itself is logged elsewhere, once for all.
    if (!hasFailed && !(error instanceof StorageError))
      log.warn("the run record could not be moved on", { error });
    hasFailed = true;
  };
  const plan = (): void => {
    cancel = clock.setTimer(everyMs, () => {
      takeover
        .beat(clock.now())
        .then(() => void (hasFailed = false), failed)
        .finally(plan);
    });
  };
  plan();
  return () => cancel();
}
