/**
 * The composition root: joins storage, mail, services, routes and the scheduler. The only importer of `storage/`.
 */
import { campaignJob } from "#campaigns/job.ts";
import { campaignRoutes } from "#campaigns/routes.ts";
import { campaignSending } from "#campaigns/sending-service.ts";
import { campaignService } from "#campaigns/service.ts";
import type { Clock } from "#core/clock.ts";
import { unwrap } from "#core/errors.ts";
import { idMaker } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import { Cursors } from "#http/cursor.ts";
import type { Route } from "#http/route.ts";
import { healthRoute } from "#http/health.ts";
import { httpServer } from "#http/server.ts";
import type { TrustedProxies } from "#http/client-address.ts";
import { contactRoutes } from "#contacts/routes.ts";
import { contactService } from "#contacts/service.ts";
import { keyService } from "#keys/service.ts";
import { listRoutes } from "#lists/routes.ts";
import { listService } from "#lists/service.ts";
import { marketingLetter } from "#deliveries/letter.ts";
import { createSender } from "#deliveries/service.ts";
import type { Log } from "#log.ts";
import { startCaptureServer } from "#mail/capture-server.ts";
import { openCapturedMail } from "#mail/captured-mail.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/relay-address.ts";
import { relayGroup, type RelayGroup } from "#mail/relay-group.ts";
import { mailboxRoutes } from "#pages/mailbox/routes.ts";
import { scheduler } from "#scheduler/scheduler.ts";
import { contactStore } from "#storage/sqlite/contact-store.ts";
import { campaignStore } from "#storage/sqlite/campaign-store.ts";
import { keyStore } from "#storage/sqlite/key-store.ts";
import { ledgerStore } from "#storage/sqlite/ledger-store.ts";
import { listStore } from "#storage/sqlite/list-store.ts";
import { planStore } from "#storage/sqlite/plan-store.ts";
import { DATABASE_FILE, openSqlite, type SqliteDatabase } from "#storage/sqlite/open.ts";
import { probeWrite } from "#storage/sqlite/probe-write.ts";
import { lockServer, type ServerLock } from "#storage/sqlite/server-lock.ts";
import { suppressionStore } from "#storage/sqlite/suppression-store.ts";
import { takeOver, type Takeover } from "#storage/sqlite/takeover.ts";
import { workspaceSeq } from "#storage/sqlite/workspace-seq.ts";
import { workspaceStore } from "#storage/sqlite/workspace-store.ts";
import { suppressionService } from "#suppression/service.ts";
import { trackingRoutes } from "#tracking/public-routes.ts";
import { trackingService } from "#tracking/service.ts";
import { VERSION } from "#version.ts";
import { workspaceService } from "#workspaces/service.ts";

/** What comes from outside: passed in, so that tests choose their own time and chance. */
export type World = { readonly clock: Clock; readonly random: Random; readonly log: Log };

export type Services = ReturnType<typeof openServices>;

/** Everything a command needs, without a server: works beside a running one. */
export function openServices(dataDir: string, world: World) {
  const { clock, random } = world;
  const database = openSqlite(dataDir, clock, random);
  const seqOf = workspaceSeq(database.sqlite);
  const newId = idMaker(clock, random);
  const keys = keyService({ keys: keyStore(database, seqOf), clock, random, newId });
  const workspaces = workspaceService({ workspaces: workspaceStore(database, seqOf), keys, clock, random, newId });
  const contacts = contactService({ contacts: contactStore(database, seqOf), clock, newId });
  const lists = listService({ lists: listStore(database, seqOf), clock, newId });
  const ledger = ledgerStore(database);
  const campaigns = campaignService({ campaigns: campaignStore(database, seqOf), ledger, clock, newId });
  const suppressions = suppressionService({ suppressions: suppressionStore(database, seqOf), clock });
  const tracking = trackingService({ ledger, contacts, workspaces, secret: database.signingSecret, clock, log: world.log });
  const close = async (): Promise<void> => {
    await tracking.drain();
    await database.close();
  };
  return { database, seqOf, ledger, keys, workspaces, contacts, lists, campaigns, suppressions, tracking, close };
}

/** What a server has beside the services: the sender, and the scheduler that wakes it. */
export type Sending = ReturnType<typeof openSending>;

export type SendingOptions = {
  /** The number of this run, from `ledger.openRun`. */
  readonly run: number;
  /** The service's relays; a workspace's own `smtpUrl` overrides them. */
  readonly relays: readonly RelayAddress[];
  readonly baseUrl: string;
};

export function openSending(services: Services, world: World, options: SendingOptions) {
  const { database, seqOf, ledger, workspaces } = services;
  const { clock, log } = world;
  const relays = relaysByWorkspace(services, world, options.relays);
  const letters = { secret: database.signingSecret, baseUrl: options.baseUrl };
  const sender = createSender({
    ...world,
    ledger,
    run: options.run,
    relaysOf: relays.of,
    async letterOf(mailing) {
      const letter = marketingLetter(mailing, await ledger.content(mailing.number), letters);
      await ledger.saveLinks(mailing.number, letter.links);
      return letter;
    },
  });
  const plans = planStore(database, seqOf);
  const sending = campaignSending({ campaigns: campaignStore(database, seqOf), plans, ledger, workspaces, sender, clock });
  const job = campaignJob({ plans, sending, clock, log });
  const tasks = scheduler(
    [
      { name: "campaigns", run: job.run, nextDueAt: job.nextDueAt },
      { name: "sender", run: sender.wake, nextDueAt: ledger.nextRetryAt },
    ],
    clock,
    log,
  );
  return {
    campaigns: sending,
    relayTroubles: relays.troubles,
    /** Finishes plans a killed server left, then works until `stop`. */
    async start(): Promise<void> {
      await job.resume();
      tasks.start();
    },
    /** No new messages; those at the relay may finish for `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      await tasks.stop();
      await sender.stop(graceMs);
      relays.close();
    },
  };
}

/** The relays each workspace sends through: its own where it names some, else the service's. Kept by their URL. */
function relaysByWorkspace(services: Services, { clock }: World, shared: readonly RelayAddress[]) {
  const ofService = relayGroup(shared, clock);
  const own = new Map<string, RelayGroup>();
  const ofUrl = (url: string): RelayGroup | { blocked: string } => {
    const known = own.get(url);
    if (known) return known;
    const addresses = parseRelayUrls(url);
    if (!addresses.ok) return { blocked: addresses.refusal.message };
    const group = relayGroup(addresses.value, clock);
    own.set(url, group);
    return group;
  };
  return {
    async of(workspaceId: string): Promise<RelayGroup | { blocked: string }> {
      const settings = await services.workspaces.settings(workspaceId);
      if (settings.suspended) return { blocked: "Sending is suspended for this workspace." };
      if (!settings.sending) return { blocked: "Sending is turned off for this workspace." };
      return settings.smtpUrl === "" ? ofService : ofUrl(settings.smtpUrl);
    },
    troubles: () => [ofService, ...own.values()].flatMap((group) => group.troubles()),
    close: () => [ofService, ...own.values()].forEach((group) => group.close()),
  };
}

/** The routes under `/api/v1`, by feature. */
export function apiRoutes(services: Services, sending: Sending): Readonly<Record<string, readonly Route[]>> {
  return { contacts: contactRoutes(services.contacts), lists: listRoutes(services.lists), campaigns: campaignRoutes(services.campaigns, sending.campaigns) };
}

export function openHttp(
  services: Services,
  sending: Sending,
  world: World,
  isTrustedProxy: TrustedProxies,
  mail: Pick<Mail, "kind" | "captured"> & { readonly baseUrl: string } = { kind: "smtp", captured: null, baseUrl: "http://localhost" },
) {
  const { writes } = services.database;
  const { captured, baseUrl } = mail;
  const { authenticate } = services.keys;
  const health = healthRoute({
    version: VERSION,
    mail: mail.kind,
    writeFault: () => writes.fault,
    probeWrite: () => probeWrite(services.database),
    relayTrouble: sending.relayTroubles,
  });
  return httpServer({
    api: apiRoutes(services, sending),
    pages: [health, ...trackingRoutes(services.tracking), ...(captured ? mailboxRoutes({ captured, baseUrl, authenticate }) : [])],
    authenticate,
    cursors: new Cursors(services.database.signingSecret),
    isTrustedProxy,
    ...world,
  });
}

/** Where mail goes. `captured`: to a server of our own that keeps it. */
export type Mail = Awaited<ReturnType<typeof openMail>>;

/** The service's relays, or without any a capture server beside the database (decisions, section 11). */
export async function openMail(dataDir: string, relays: readonly RelayAddress[] | null, clock: Clock) {
  if (relays !== null) return { kind: "smtp" as const, relays, captured: null, close: () => Promise.resolve() };
  const captured = await openCapturedMail(`${dataDir}/captured`, clock);
  const server = await startCaptureServer(captured);
  return { kind: "captured" as const, relays: unwrap(parseRelayUrls(server.url)), captured, close: server.close };
}

/** The file of a data directory's database. */
export const databasePath = (dataDir: string): string => `${dataDir}/${DATABASE_FILE}`;

/** Before a server sends anything: see `storage/sqlite/takeover.ts`. */
export const takeOverDatabase = ({ database, ledger }: Services, { clock }: World, lock: ServerLock): Promise<Takeover> =>
  takeOver(database, ledger, clock.now(), lock.lastEndWasClean);

export { lockServer, type ServerLock, type Takeover };
export type { SqliteDatabase };
