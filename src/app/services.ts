/** Wiring: the services over their stores. Only the files of this folder import `storage/`. */
import { attributeService } from "#attributes/service.ts";
import { auditService } from "#audit/service.ts";
import { backupFiles } from "#backups/backup-files.ts";
import { backupService } from "#backups/service.ts";
import { automationService } from "#automations/service.ts";
import { simulationService } from "#automations/simulation/simulation-service.ts";
import { campaignOutcomes } from "#campaigns/report/outcome-service.ts";
import { sendControl } from "#campaigns/send/send-control-service.ts";
import { campaignCheck, leftOutOfCheck } from "#campaigns/check/check-service.ts";
import { refusalService } from "#campaigns/send/refusal-service.ts";
import { campaignService } from "#campaigns/service.ts";
import { systemClock } from "#core/time/clock.ts";
import type { DatabaseAddress } from "#core/addresses/database-url.ts";
import type { Share } from "#core/share.ts";
import { idMaker } from "#core/ids.ts";
import { bounceService } from "#bounces/service.ts";
import { unreadMailService } from "#bounces/unread-service.ts";
import { letterCheck, letterFaultsOf } from "#deliveries/letters/letter-check.ts";
import { domainLanes } from "#deliveries/domains/domain-lanes.ts";
import { rampsOf } from "#deliveries/ramp.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { eventService } from "#events/service.ts";
import { exportService } from "#exports/service.ts";
import { formService } from "#forms/service.ts";
import { importService } from "#imports/service.ts";
import { bulkContactService } from "#contacts/bulk/bulk-service.ts";
import { contactService } from "#contacts/service.ts";
import { keyService } from "#keys/service.ts";
import { listService } from "#lists/service.ts";
import { deliveryOutcomes } from "#metrics/delivery-outcomes.ts";
import { reportOutcomes } from "#metrics/report-outcomes.ts";
import { mediaService } from "#media/service.ts";
import { nodeService } from "#nodes/service.ts";
import { passkeyService } from "#passkeys/service.ts";
import { timelineService } from "#timeline/service.ts";
import { preferencesService } from "#preferences/service.ts";
import { previewLetters } from "#previews/service.ts";
import { segmentService } from "#segments/service.ts";
import { selectionService } from "#selections/service.ts";
import { scoringService } from "#scoring/service.ts";
import { checkStillHere } from "#storage/sqlite/run/moved-to.ts";
import type { OnUpgrade } from "#storage/sqlite/schema/migrate.ts";
import { statsService } from "#stats/service.ts";
import { suppressionService } from "#suppression/service.ts";
import { compiledTemplates } from "#templates/compiled-templates.ts";
import { templateRenderer } from "#templates/render-service.ts";
import { templateService } from "#templates/service.ts";
import { messageService } from "#transactional/message-service.ts";
import { trackingService } from "#tracking/service.ts";
import { webhookService } from "#webhooks/service.ts";
import { keepingMjml } from "#work/kept-mjml.ts";
import { workPool, type Work } from "#work/pool.ts";
import { accountService } from "#sessions/account-service.ts";
import { proving } from "#sessions/proof.ts";
import { sessionService } from "#sessions/service.ts";
import { welcomeService } from "#sessions/welcome-service.ts";
import { passwordHashing } from "#users/hashing.ts";
import { userService } from "#users/service.ts";
import { workspaceService, type WorkspaceService } from "#workspaces/service.ts";
import { startJobThread } from "#threads.ts";
import type { Engine } from "./engine.ts";
import type { PostgresPlace } from "./postgres-engine.ts";
import { sqliteEngine } from "./sqlite-engine.ts";
import { upgradeLog } from "./upgrade-log.ts";
import { COLLECTOR, faultsOnce, type World } from "./world.ts";

export type { World };

/** Over a database in a data directory. */
export type SqliteServices = ReturnType<typeof openServices>;

/** Over any engine. */
export type Services = ReturnType<typeof servicesOver>;

/** Everything a command needs, without a server: works beside a running one. */
export function openServices(dataDir: string, world: World, onUpgrade: OnUpgrade = upgradeLog(world)) {
  const engine = sqliteEngine(dataDir, world, onUpgrade);
  return { ...servicesOver(engine, dataDir, world), database: engine.database, stores: engine.stores };
}

/** The same over PostgreSQL. Files are kept in the data directory of each machine. */
export async function openPostgresServices(
  place: PostgresPlace & { readonly dataDir: string },
  world: World,
) {
  // Loaded only here: with SQLite, none of it is needed.
  const { postgresEngine } = await import("./postgres-engine.ts");
  const engine = await postgresEngine(place, world);
  return { ...servicesOver(engine, place.dataDir, world), engine };
}

export type DatabasePlace = {
  readonly dataDir: string;
  /** Null: SQLite, in the data directory. */
  readonly address: DatabaseAddress | null;
};

type Opening = {
  readonly onUpgrade: OnUpgrade;
  readonly lockWaitMs: number;
  /** PostgreSQL: whether an empty database is filled. */
  readonly make: boolean;
};

/** For a command, over the engine that has the data. @throws Error for a person if it was moved away */
export async function openServicesAt(
  { dataDir, address }: DatabasePlace,
  world: World,
  { onUpgrade, lockWaitMs, make }: Opening,
): Promise<Services> {
  if (address !== null) {
    const services = await openPostgresServices({ ...address, dataDir, make, isCommand: true }, world);
    return await checked(services, services.engine.checkStillHere);
  }
  const services = openServices(dataDir, world, onUpgrade);
  services.database.writes.lockWaitMs = lockWaitMs;
  return await checked(services, async () => checkStillHere(services.database.sqlite));
}

async function checked(services: Services, check: () => Promise<void>): Promise<Services> {
  try {
    await check();
    return services;
  } catch (error) {
    await services.close();
    throw error;
  }
}

function servicesOver(engine: Engine, dataDir: string, world: World) {
  const { clock, random } = world;
  const { stores, signingSecret: secret } = engine;
  const newId = idMaker(clock, random);
  const outcomes = deliveryOutcomes();
  const ledger = outcomes.watch(stores.ledger);
  const imported = { imports: stores.imports, files: engine.importFiles(`${dataDir}/imports`) };
  const segments = segmentService({ ...stores, members: stores.segmentMembers, clock, newId });
  const pool = workPool({ startThread: startJobThread, clock: systemClock, log: world.log });
  const work = keepingMjml(pool, systemClock);
  const compiled = compiledTemplates({ work });
  const keys = keyService({ keys: stores.keys, clock, random, newId });
  const workspaces = workspaceService({ workspaces: stores.workspaces, keys, clock, random, newId });
  const contacts = contactService({ contacts: stores.contacts, clock, newId });
  const automations = { automations: stores.automations, workspaces, work, clock };
  const lists = listService({ lists: stores.lists, clock, newId });
  const answers = openAnswers({ secret, stores, ledger, contacts, workspaces, work }, world);
  const signIn = openSignIn(dataDir, engine, workspaces, world);
  return {
    engine,
    stores,
    ledger,
    outcomes,
    work,
    keys,
    workspaces,
    contacts,
    bulkContacts: bulkContactService({ contacts: stores.contacts, clock, newId, log: world.log }),
    attributes: attributeService({ attributes: stores.attributes }),
    lists,
    imports: importService({ ...imported, lists: stores.lists, attributes: stores.attributes, clock, newId }),
    importedFiles: imported.files,
    ...campaignServices(stores, { ledger, workspaces, newId, work, share: engine.share, ...world }),
    forms: formService({ forms: stores.forms, clock, newId }),
    events: eventService({ events: stores.events, clock, newId, log: world.log }),
    automations: automationService({ ...automations, newId }),
    simulations: simulationService({ ...automations, runs: stores.runs, scoring: stores.scoring }),
    scoring: scoringService({ scoring: stores.scoring, clock, newId }),
    segments,
    selections: selectionService({ contacts: stores.contacts, lists: stores.lists, segments, clock }),
    exports: exportService({ ...stores, segments, clock, collector: COLLECTOR }),
    media: mediaService({ media: stores.media, secret, clock, newId }),
    nodes: nodeService({ nodes: stores.nodes, ownsEverything: stores.backups.ownsEverything, clock }),
    previewLetters: previewLetters({ ...world, letters: stores.shownLetters }),
    timeline: timelineService({ timeline: stores.timeline, workspaces, clock }),
    stats: statsService({ stats: stores.stats, workspaces, clock }),
    templates: templateService({ templates: stores.templates, clock, newId }),
    compiledTemplates: compiled,
    renderTemplate: templateRenderer({ compiledTemplates: compiled, work }),
    suppressions: suppressionService({ suppressions: stores.suppressions, clock }),
    ...answers,
    ...signIn,
    webhooks: webhookService({ webhooks: stores.webhooks, workspaces, clock, random, newId }),
    close: () => closing({ engine, work, tracking: answers.tracking, backups: signIn.backups }),
  };
}

async function closing({
  engine,
  work,
  tracking,
  backups,
}: Pick<Services, "engine" | "work" | "tracking" | "backups">): Promise<void> {
  await backups.stop();
  work.stop();
  await tracking.drain();
  await engine.close();
}

/** What signing in needs: users, sessions, passkeys, backups, and the audit log. */
function openSignIn(
  dataDir: string,
  { stores: { users, sessions, passkeys, audit, backups }, signingSecret: secret, copy }: Engine,
  workspaces: WorkspaceService,
  { clock, random, log }: World,
) {
  const newId = idMaker(clock, random);
  const hashing = passwordHashing();
  const checks = proving({ sessions, hashing, clock });
  const parts = { sessions, hashing, proving: checks, clock, random, newId };
  const service = sessionService({ ...parts, workspaces });
  return {
    audit: auditService({ audit, clock }),
    users: userService({ ...parts, users }),
    sessions: service,
    accounts: accountService(parts),
    passkeys: passkeyService({ ...parts, passkeys, service, secret }),
    welcomes: welcomeService({ ...parts, service }),
    backups: backupService({
      ...parts,
      backups,
      files: backupFiles(`${dataDir}/backups`),
      copy,
      log,
    }),
  };
}

/** Campaigns apart from their sending, which only a server does. */
function campaignServices(
  stores: Engine["stores"],
  given: World &
    Pick<Parameters<typeof campaignService>[0], "workspaces" | "newId"> & {
      readonly ledger: LedgerStore;
      readonly work: Pick<Work, "run">;
      readonly share: Share;
    },
) {
  const { campaigns, audiences, outcomeFigures: figures, sendControl: sends } = stores;
  const rampOf = rampsOf(given);
  const lanes = domainLanes(given);
  const parts = { ...given, campaigns, rampOf, checkLetter: letterCheck(letterFaultsOf(given.work)) };
  const refusalOf = refusalService(parts);
  return {
    rampOf,
    lanes,
    campaigns: campaignService(parts),
    campaignRefusals: refusalOf,
    checkLetter: parts.checkLetter,
    campaignCheck: campaignCheck({ ...parts, audiences, refusalOf }),
    leftOutOfCheck: leftOutOfCheck({ ...parts, audiences }),
    campaignOutcomes: campaignOutcomes({ ...parts, figures }),
    sendControl: sendControl({ ...parts, sends }),
  };
}

/** What comes back after mail was sent: opens, clicks, opt-outs, reports of failure and complaints. */
function openAnswers(
  {
    secret,
    stores,
    ...parts
  }: Pick<Parameters<typeof trackingService>[0], "ledger" | "contacts" | "workspaces" | "secret"> & {
    readonly stores: Engine["stores"];
    readonly work: Work;
  },
  { clock, log }: World,
) {
  const tracking = trackingService({ ...parts, secret, clock, log: faultsOnce(log) });
  const { bounces } = stores;
  const reports = reportOutcomes();
  return {
    tracking,
    messages: messageService({ messages: stores.messages, secret }),
    preferences: preferencesService({ ...parts, preferences: stores.preferences, secret, clock }),
    unreadMails: unreadMailService({ ...parts, bounces }),
    bounces: reports.watch(
      bounceService({ ...parts, bounces, optOut: tracking.unsubscribeByMail, secret, clock }),
    ),
    reports,
  };
}
