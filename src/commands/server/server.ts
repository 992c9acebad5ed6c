import { present } from "#core/present.ts";
import { eventLoopDelay, openHttp } from "#app/http.ts";
import { startInboundSmtp, startMailboxes } from "#app/inbound.ts";
import { openMail } from "#app/mail.ts";
import { openSending } from "#app/sending.ts";
import { openServerDatabase, type ServerDatabase } from "#app/server-database.ts";
import type { Services, World } from "#app/services.ts";
import type { Config } from "#config.ts";
import { sleep } from "#core/time/clock.ts";
import type { Finding } from "#doctor/finding.ts";
import { listen } from "./listen.ts";
import { giveBackAfterStart } from "#app/start-memory.ts";

/** A running server. */
export type Server = {
  readonly mail: "smtp" | "captured";
  /** Where mail comes in; null if it does not. */
  readonly inbound: string | null;
  readonly takeover: ServerDatabase["takeover"];
  /** What is wrong with the data directory, and what to do about it. */
  readonly dataTrouble: readonly Finding[];
  /** Created at this start, if the data directory was empty. The key is known only here. */
  readonly firstWorkspace: FirstWorkspace | null;
  /** The token of the link that makes the first owner; null once somebody owns a workspace. */
  readonly ownerLink: string | null;
  /**
   * Resolves when the disk failed to keep what was committed (docs/failure-catalogue.md "D-23"), or when other
   * processes have taken over what this one was sending. Only a restart helps then.
   */
  readonly lost: ServerDatabase["lost"];
  /** Stops in order: no new requests, no new mail. What has begun gets `graceMs` to finish. */
  stop(graceMs: number): Promise<void>;
};

export type FirstWorkspace = { readonly id: string; readonly key: string };

/**
 * Starts everything in order: it takes the lock before it touches the database, and opens the port before
 * anything is sent. So a start that fails leaves no trace.
 * @throws with one line for a person: directory in use, damaged database, port in use
 */
export async function startServer(config: Config, world: World): Promise<Server> {
  const database = await openServerDatabase(config, world);
  try {
    // It may lie on another disk, and nothing but backups needs it.
    await database.services.backups
      .sweep()
      .catch((error: unknown) =>
        world.log.warn("what is left of an unfinished backup could not be cleared away", { error }),
      );
    return await startOn(config, world, database);
  } catch (error) {
    await database.end();
    throw error;
  }
}

const sendingOptions = ({ baseUrl, inboundSmtp, senderThreads }: Config) => ({
  baseUrl,
  inboundSmtp: inboundSmtp !== null,
  senderThreads,
});

async function startOn(config: Config, world: World, database: ServerDatabase): Promise<Server> {
  const { services, takeover } = database;
  const { clock } = world;
  const mail = await openMail(config.dataDir, config.relays, world);
  const sending = openSending(services, world, {
    run: takeover.run,
    relays: mail.relays,
    isCaptured: mail.kind === "captured",
    ...sendingOptions(config),
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
  const first = await database.alone(() => firstThings(services));
  await sending.start();
  const mailboxes = startMailboxes(services, world);
  const dataTrouble = database.trouble();
  reportStart({ config, world, takeover, dataTrouble, mail: mail.kind });
  database.begin();
  eventLoop.start();
  const leaveMemory = giveBackAfterStart(clock);

  return {
    mail: mail.kind,
    inbound: inbound?.label ?? null,
    takeover,
    dataTrouble,
    ...first,
    lost: database.lost,
    async stop(graceMs) {
      leaveMemory();
      eventLoop.stop();
      const closed = listening.stop(false);
      const taking = [inbound?.close(), mailboxes.stop(graceMs)];
      await Promise.all([...taking, sending.stop(graceMs), Promise.race([closed, sleep(clock, graceMs)])]);
      await listening.stop(true);
      await mail.close();
      await database.end();
    },
  };
}

/** The workspace of a new database, and the link that makes the first owner. */
async function firstThings({
  workspaces,
  users,
}: Services): Promise<Pick<Server, "firstWorkspace" | "ownerLink">> {
  const isNew = (await workspaces.list()).length === 0;
  const firstWorkspace = isNew ? await workspaces.create("Default") : null;
  return { firstWorkspace, ownerLink: await users.firstLink() };
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

type Start = Pick<Server, "takeover" | "dataTrouble" | "mail"> & { config: Config; world: World };

function reportStart({ config, world: { log }, takeover, dataTrouble, mail }: Start): void {
  const { run, uncertain, held, holdReason } = takeover;
  const { host, port, dataDir, database } = config;
  const place = database === null ? { dataDir } : { database: new URL(database.url).host };
  log.info("serving", { host, port, ...place, mail, run });
  for (const { message, advice } of dataTrouble) log.warn(message, { advice });
  if (mail === "captured") log.warn("mail is captured, not delivered: set SMTP_URL to deliver it");
  if (uncertain > 0)
    log.warn("messages whose outcome is unknown since the last end are not sent again", { uncertain });
  if (holdReason !== null)
    log.warn(
      "held until `postrider campaign release ID` (or automation, form): what was under way or scheduled; mailboxes are not read until bounceMailbox is set again",
      {
        held,
        reason: holdReason,
      },
    );
}
