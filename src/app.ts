/**
 * The composition root: joins storage, mail, services, routes and the scheduler. The only importer of `storage/`.
 */
import { edenGC, fullGC } from "bun:jsc";
import { webhookCalls } from "#automations/run/calls.ts";
import { automationJob } from "#automations/job.ts";
import { automationLetters } from "#automations/mail/letter.ts";
import { automationWebhook } from "#automations/webhooks/webhook-schema.ts";
import { automationRoutes } from "#automations/routes.ts";
import { automationService } from "#automations/service.ts";
import { simulationService } from "#automations/simulation/simulation-service.ts";
import { resolveByDns, type Resolve } from "#automations/webhooks/webhook-caller.ts";
import { campaignJob } from "#campaigns/job.ts";
import { campaignRoutes } from "#campaigns/routes.ts";
import { warningService } from "#campaigns/warning-service.ts";
import { planningService } from "#campaigns/planning-service.ts";
import { campaignSending } from "#campaigns/sending-service.ts";
import { campaignService } from "#campaigns/service.ts";
import { sleep, systemClock, type Clock } from "#core/clock.ts";
import { unwrap } from "#core/errors.ts";
import { idMaker, requestIdMaker } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import { StorageError } from "#core/storage-error.ts";
import { Cursors } from "#http/cursor.ts";
import type { Document } from "#http/openapi/openapi.ts";
import { openApiDocument } from "#http/openapi/document.ts";
import type { PublicRoute } from "#http/public-route.ts";
import type { Route } from "#http/route.ts";
import { eventRoutes } from "#events/routes.ts";
import { eventService } from "#events/service.ts";
import { confirmationRoutes } from "#forms/confirm-routes.ts";
import { confirmationLetters } from "#forms/letter.ts";
import { formRoutes } from "#forms/routes.ts";
import { formService } from "#forms/service.ts";
import { signupRoutes } from "#forms/public-routes.ts";
import { signupService } from "#forms/signup-service.ts";
import { healthRoute } from "#http/health.ts";
import { httpServer } from "#http/server.ts";
import type { TrustedProxies } from "#http/client-address.ts";
import { contactRoutes } from "#contacts/routes.ts";
import { contactService } from "#contacts/service.ts";
import { keyRoutes } from "#keys/routes.ts";
import { keyService } from "#keys/service.ts";
import { listRoutes } from "#lists/routes.ts";
import { listService } from "#lists/service.ts";
import { campaignLetters, letterByKind } from "#deliveries/letter.ts";
import { waysOut } from "#deliveries/way-out.ts";
import { createSender } from "#deliveries/sender/sender.ts";
import { unlessSaid, type Log } from "#log.ts";
import { startCaptureServer } from "#mail/capture/capture-server.ts";
import { openCapturedMail } from "#mail/capture/captured-mail.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay-address.ts";
import { deliveryOutcomes } from "#metrics/delivery-outcomes.ts";
import { eventLoopDelay, type EventLoopDelay } from "#metrics/event-loop-delay.ts";
import { requestDurations, type RequestDurations } from "#metrics/request-durations.ts";
import { metricsRoute } from "#metrics/route.ts";
import { isLocalRequest } from "#pages/mailbox/access.ts";
import { homeRoute } from "#pages/home.ts";
import { mailboxRoutes } from "#pages/mailbox/routes.ts";
import { referenceRoutes } from "#pages/reference/routes.ts";
import { scoringRoutes } from "#scoring/routes.ts";
import { scoringService } from "#scoring/service.ts";
import { scheduler } from "#scheduler/scheduler.ts";
import { underWay } from "#scheduler/under-way.ts";
import { backUpDatabase, type BackupWork } from "#storage/sqlite/files/backup.ts";
import { databaseFigures } from "#storage/sqlite/engine/figures.ts";
import { inspectDatabase } from "#storage/sqlite/files/inspect.ts";
import { restoreDatabase } from "#storage/sqlite/files/restore.ts";
import { automationStore } from "#storage/sqlite/automations/automation-store.ts";
import { changesSince } from "#storage/sqlite/engine/changes-since.ts";
import { startCheckpoints as startCheckpointThread } from "#storage/sqlite/upkeep/checkpoints.ts";
import { contactStore } from "#storage/sqlite/contacts/contact-store.ts";
import { watchFaults } from "#storage/sqlite/engine/fault-watch.ts";
import { eventIndex } from "#storage/sqlite/events/event-index.ts";
import { followIndexes } from "#storage/sqlite/upkeep/index-follower.ts";
import { contactIndex } from "#storage/sqlite/search/search-index.ts";
import { eventStore } from "#storage/sqlite/events/event-store.ts";
import { formStore } from "#storage/sqlite/forms/form-store.ts";
import { campaignStore } from "#storage/sqlite/campaigns/campaign-store.ts";
import { keyStore } from "#storage/sqlite/workspaces/key-store.ts";
import { ledgerStore } from "#storage/sqlite/ledger/ledger-store.ts";
import { listStore } from "#storage/sqlite/lists/list-store.ts";
import { planStore } from "#storage/sqlite/campaigns/plan-store.ts";
import type { OnUpgrade } from "#storage/sqlite/schema/migrate.ts";
import { DATABASE_FILE, openSqlite } from "#storage/sqlite/engine/open.ts";
import { probeWrite } from "#storage/sqlite/engine/probe-write.ts";
import { sendStore } from "#storage/sqlite/transactional/send-store.ts";
import { lockServer, type ServerLock } from "#storage/sqlite/run/server-lock.ts";
import { runStore } from "#storage/sqlite/automations/run-store.ts";
import { scoringStore } from "#storage/sqlite/scoring/scoring-store.ts";
import { signupStore } from "#storage/sqlite/forms/signup-store.ts";
import { suppressionStore } from "#storage/sqlite/consent/suppression-store.ts";
import { takeOver, type Takeover } from "#storage/sqlite/run/takeover.ts";
import { workspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { workspaceStore } from "#storage/sqlite/workspaces/workspace-store.ts";
import { suppressionService } from "#suppression/service.ts";
import { trackingRoutes } from "#tracking/public-routes.ts";
import { trackingService } from "#tracking/service.ts";
import { sendRoutes } from "#transactional/routes.ts";
import { transactionalService } from "#transactional/service.ts";
import { VERSION } from "#version.ts";
import { workPool } from "#work/pool.ts";
import { workspaceService } from "#workspaces/service.ts";

/** What comes from outside: passed in, so that tests choose their own time and chance. */
export type World = { readonly clock: Clock; readonly random: Random; readonly log: Log };

/** That the database cannot be written is said once (fault-watch.ts), and not by everything that fails for it. */
const saidOnce = (log: Log): Log => unlessSaid(log, (error) => error instanceof StorageError);

export type Services = ReturnType<typeof openServices>;

/** Everything a command needs, without a server: works beside a running one. */
export function openServices(dataDir: string, world: World, onUpgrade: OnUpgrade = logUpgrade(world.log)) {
  const { clock, random } = world;
  const database = openSqlite(dataDir, clock, random, onUpgrade);
  const seqOf = workspaceSeq(database.sqlite);
  const newId = idMaker(clock, random);
  const keys = keyService({ keys: keyStore(database, seqOf), clock, random, newId });
  const workspaces = workspaceService({
    workspaces: workspaceStore(database, seqOf),
    keys,
    clock,
    random,
    newId,
  });
  const contacts = contactService({ contacts: contactStore(database, seqOf), clock, newId });
  const lists = listService({ lists: listStore(database, seqOf), clock, newId });
  const outcomes = deliveryOutcomes();
  const ledger = outcomes.watch(ledgerStore(database));
  const campaigns = campaignService({ campaigns: campaignStore(database, seqOf), ledger, clock, newId });
  const forms = formService({ forms: formStore(database, seqOf), clock, newId });
  const events = eventService({ events: eventStore(database, seqOf), clock, newId });
  const runs = runStore(database, seqOf);
  const flows = automationStore(database, seqOf);
  const work = workPool({ startThread, clock: systemClock, log: world.log });
  const automations = automationService({ automations: flows, workspaces, work, clock, newId });
  const simulations = simulationService({ automations: flows, runs, workspaces, work, clock });
  const scoring = scoringService({ scoring: scoringStore(database, seqOf), clock, newId });
  const suppressions = suppressionService({ suppressions: suppressionStore(database, seqOf), clock });
  const tracking = trackingService({
    ledger,
    contacts,
    workspaces,
    secret: database.signingSecret,
    clock,
    log: saidOnce(world.log),
  });
  const close = async (): Promise<void> => {
    work.stop();
    await tracking.drain();
    await database.close();
  };
  return {
    database,
    seqOf,
    ledger,
    outcomes,
    keys,
    workspaces,
    contacts,
    lists,
    campaigns,
    forms,
    events,
    automations,
    simulations,
    runs,
    scoring,
    suppressions,
    tracking,
    work,
    close,
  };
}

/** Threads are of the machine: what they spend is measured by its clock, whatever time the service lives in. */
const startThread = (): Worker =>
  new Worker(new URL("./job-worker.ts", import.meta.url).href, { smol: true, ref: false });

const logUpgrade =
  (log: Log): OnUpgrade =>
  ({ from, to, copy }, isDone) =>
    isDone
      ? log.info("the database has the new schema; the copy is of the one before", { from, to, copy })
      : log.info("bringing the database up to a newer schema; it is copied first", { from, to });

/** What a server has beside the services: the sender, and the scheduler that wakes it. */
export type Sending = ReturnType<typeof openSending>;

export type SendingOptions = {
  /** The number of this run, from `ledger.openRun`. */
  readonly run: number;
  /** The service's relays; a workspace's own `smtpUrl` overrides them. */
  readonly relays: readonly RelayAddress[];
  readonly baseUrl: string;
  /** Whether the relay is our own capture server, which is told whose mail it gets. */
  readonly isCaptured?: boolean;
  /** How webhooks find their targets; by DNS unless given. */
  readonly resolve?: Resolve;
};

export function openSending(services: Services, given: World, options: SendingOptions) {
  const world = { ...given, log: saidOnce(given.log) };
  const { database, seqOf, ledger, workspaces, runs, work } = services;
  const { clock, random, log } = world;
  const newId = idMaker(clock, random);
  const ways = waysOut({ ...options, ...world, workspaces });
  const signups = signupStore(database);
  const letters = { secret: database.signingSecret, baseUrl: options.baseUrl, work };
  const requests = underWay();
  const sender = createSender({
    ...world,
    ledger,
    run: options.run,
    collector: { young: edenGC, all: fullGC },
    wayOutOf: ways.of,
    letterOf: letterByKind({
      campaign: campaignLetters(ledger, letters),
      automation: automationLetters(runs, ledger, letters),
      confirmation: confirmationLetters({ ...letters, signups }),
    }),
  });
  const plans = planStore(database, seqOf);
  const campaigns = campaignStore(database, seqOf);
  const planning = planningService({ campaigns, plans, workspaces, clock, log });
  const warningsOf = warningService({ campaigns, workspaces, baseUrl: options.baseUrl });
  const sending = campaignSending({ campaigns, plans, planning, ledger, sender, warningsOf, clock, log });
  const transactional = transactionalService({
    sends: sendStore(database, seqOf),
    workspaces,
    sender,
    secret: database.signingSecret,
    work,
    newId: idMaker(clock, world.random),
    blockedBy: (workspaceId, from) => ways.blockedBy(workspaceId, "transactional", from),
    clock,
    log,
  });
  const job = campaignJob({ plans, planning, sending, wakeSender: sender.wake, clock, log });
  const calls = webhookCalls({
    runs,
    workspaces,
    clock,
    random,
    log,
    resolve: options.resolve ?? resolveByDns,
  });
  const wakeEngine = (): void => tasks.wake("automations");
  runs.onStarts(wakeEngine);
  const engine = automationJob({
    runs,
    workspaces,
    calls,
    work,
    isAwaited: () => requests.isAny,
    wakeEngine,
    wakeSender: sender.wake,
    clock,
    random,
    newId,
    log,
  });
  const faults = watchFaults(database, given);
  const tasks = scheduler(
    [
      { name: "campaigns", run: job.run, nextDueAt: job.nextDueAt },
      { name: "automations", run: engine.run, nextDueAt: engine.nextDueAt },
      { name: "sender", run: sender.wake, nextDueAt: sender.nextDueAt },
    ],
    clock,
    log,
  );
  return {
    campaigns: sending,
    transactional,
    signups: signupService({
      forms: formStore(database, seqOf),
      signups,
      workspaces,
      secret: database.signingSecret,
      wakeSender: sender.wake,
      clock,
      newId: idMaker(clock, world.random),
      log,
    }),
    baseUrl: options.baseUrl,
    requests,
    relayTroubles: ways.troubles,
    ticks: tasks.ticks,
    /** Works until `stop`. */
    async start(): Promise<void> {
      tasks.start();
    },
    /** No new messages; those at the relay may finish for `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      const ended = [tasks.stop(), planning.stop()];
      await Promise.all([...ended, Promise.race([engine.stop(), sleep(clock, graceMs)])]);
      await Promise.all([sender.stop(graceMs), transactional.stop(graceMs)]);
      faults.stop();
      ways.close();
    },
  };
}

/** The routes under `/api/v1`, by feature. */
export function apiRoutes(services: Services, sending: Sending): Readonly<Record<string, readonly Route[]>> {
  return {
    contacts: contactRoutes(services.contacts),
    lists: listRoutes(services.lists),
    campaigns: campaignRoutes(services.campaigns, sending.campaigns),
    automations: automationRoutes(services.automations),
    events: eventRoutes(services.events),
    scoring: scoringRoutes(services.scoring),
    forms: formRoutes(services.forms, sending.baseUrl),
    send: sendRoutes(sending.transactional),
    keys: keyRoutes(services.keys),
  };
}

/** What this service asks of others, as the API's document shows it. */
const WEBHOOKS = { automationWebhook };

/** The routes that need no key, but for the mailbox: that one is for whoever runs the service. */
function publicRoutes(services: Services, sending: Sending, mail: Mail["kind"]): PublicRoute[] {
  const health = healthRoute({
    version: VERSION,
    mail,
    fault: () => services.database.faults.current,
    probeWrite: () => probeWrite(services.database),
    relayTrouble: sending.relayTroubles,
    ticks: sending.ticks,
  });
  const pages: PublicRoute[] = [
    health,
    ...trackingRoutes(services.tracking),
    ...signupRoutes(sending.signups, sending.baseUrl),
    ...confirmationRoutes(sending.signups, sending.baseUrl),
    ...referenceRoutes(() =>
      openApiDocument({
        api: apiRoutes(services, sending),
        pages,
        webhooks: WEBHOOKS,
        baseUrl: sending.baseUrl,
      }),
    ),
  ];
  return pages;
}

/**
 * The API's document without a server or a database. Routes are data around their handlers, and no handler is called here:
 * so they are built over services that are not there.
 */
export function apiDocument(baseUrl: string): Document {
  const services = absent<Services>({});
  const sending = absent<Sending>({ baseUrl });
  const pages = publicRoutes(services, sending, "smtp");
  return openApiDocument({ api: apiRoutes(services, sending), pages, webhooks: WEBHOOKS, baseUrl });
}

/** What has the given members and, to be taken but not called, any other. */
function absent<T extends object>(members: Partial<T>): T {
  return new Proxy(members, {
    get: (known, name) => (Reflect.get(known, name) as unknown) ?? absent({}),
  }) as T;
}

/** What the pages have to know of the service as a whole. */
export type Site = Pick<Mail, "kind" | "captured"> & {
  readonly baseUrl: string;
  readonly metricsToken?: string | null;
  readonly mailboxToken?: string | null;
  readonly corsOrigins?: readonly string[];
  /** Started and stopped by whoever runs the server. */
  readonly eventLoop?: EventLoopDelay;
};

export function openHttp(
  services: Services,
  sending: Sending,
  world: World,
  isTrustedProxy: TrustedProxies,
  mail: Site = { kind: "smtp", captured: null, baseUrl: "http://localhost" },
) {
  const { captured, baseUrl, mailboxToken = null } = mail;
  const { authenticate } = services.keys;
  const durations = requestDurations();
  return httpServer({
    api: apiRoutes(services, sending),
    pages: [
      homeRoute(baseUrl, captured !== null),
      ...publicRoutes(services, sending, mail.kind),
      metricsOf(services, world, mail, durations),
      ...(captured ? mailboxRoutes({ captured, baseUrl, token: mailboxToken, authenticate }) : []),
    ],
    authenticate,
    cursors: new Cursors(services.database.signingSecret),
    isTrustedProxy,
    apiOrigins: mail.corsOrigins ?? [],
    observing: durations.observing,
    begin: sending.requests.begin,
    newRequestId: requestIdMaker(world.random),
    ...world,
    log: saidOnce(world.log),
  });
}

/** What `/metrics` shows and to whom. */
function metricsOf(
  { database, outcomes }: Services,
  { clock }: World,
  site: Site,
  durations: RequestDurations,
) {
  const { baseUrl, metricsToken = null, eventLoop } = site;
  const figures = databaseFigures(database);
  return metricsRoute({
    version: VERSION,
    clock,
    token: metricsToken,
    isLocal: ({ clientAddress, request }) => isLocalRequest(clientAddress, request.headers, baseUrl),
    figures: () => figures(clock.now()),
    writeFault: () => database.faults.current,
    counted: [outcomes.family, durations.family, ...(eventLoop ? [eventLoop.family] : [])],
  });
}

/** Where mail goes. `captured`: to a server of our own that keeps it. */
type Mail = Awaited<ReturnType<typeof openMail>>;

/** The service's relays, or without any a capture server beside the database (docs/decisions.md "Running it"). */
export async function openMail(dataDir: string, relays: readonly RelayAddress[] | null, clock: Clock) {
  if (relays !== null)
    return { kind: "smtp" as const, relays, captured: null, close: () => Promise.resolve() };
  const captured = await openCapturedMail(`${dataDir}/captured`, clock);
  const server = await startCaptureServer(captured);
  return {
    kind: "captured" as const,
    relays: unwrap(parseRelayUrls(server.url)),
    captured,
    close: server.close,
  };
}

/** The file of a data directory's database. */
export const databasePath = (dataDir: string): string => `${dataDir}/${DATABASE_FILE}`;

/** Before a server sends anything: see `storage/sqlite/run/takeover.ts`. */
export const takeOverDatabase = (
  { database, ledger }: Services,
  { clock }: World,
  lock: ServerLock,
): Promise<Takeover> => takeOver(database, ledger, clock.now(), lock.lastEndWasClean);

/** On files that no service of this process has open, such as `databasePath`'s; so with `restore` and `inspect`. */
export const backUp = (path: string, file: string, work: Omit<BackupWork, "thread">) =>
  backUpDatabase(path, file, {
    ...work,
    thread: new Worker(new URL("./backup-worker.ts", import.meta.url).href),
  });
export const restore = restoreDatabase;
export const inspect = (path: string) => inspectDatabase(path, "quick");

/** For a server: see `storage/sqlite/upkeep/checkpoints.ts`. */
export const startCheckpoints = ({ database }: Services, world: World) =>
  startCheckpointThread(database, new Worker(new URL("./checkpoint-worker.ts", import.meta.url).href), world);

/** For a server: see `storage/sqlite/upkeep/index-follower.ts`. */
export const startIndexing = ({ database }: Services, world: World) =>
  followIndexes([eventIndex(database), contactIndex(database)], {
    ...world,
    log: saidOnce(world.log),
    hasChanged: changesSince(database.sqlite),
  });

export { eventLoopDelay };
export { lockServer, type ServerLock, type Takeover };
