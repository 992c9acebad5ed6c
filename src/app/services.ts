/**
 * Wiring: the services over their stores. With the other files of this folder the only importer of `storage/`.
 */
import { automationService } from "#automations/service.ts";
import { simulationService } from "#automations/simulation/simulation-service.ts";
import { campaignService } from "#campaigns/service.ts";
import { systemClock, type Clock } from "#core/clock.ts";
import { idMaker } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import { StorageError } from "#core/storage-error.ts";
import { eventService } from "#events/service.ts";
import { formService } from "#forms/service.ts";
import { bulkContactService } from "#contacts/bulk-service.ts";
import { contactService } from "#contacts/service.ts";
import { keyService } from "#keys/service.ts";
import { listService } from "#lists/service.ts";
import { unlessSaid, type Log } from "#log.ts";
import { deliveryOutcomes } from "#metrics/delivery-outcomes.ts";
import { peopleService } from "#people/service.ts";
import { scoringService } from "#scoring/service.ts";
import { automationStore } from "#storage/sqlite/automations/automation-store.ts";
import { contactStore } from "#storage/sqlite/contacts/contact-store.ts";
import { eventStore } from "#storage/sqlite/events/event-store.ts";
import { formStore } from "#storage/sqlite/forms/form-store.ts";
import { campaignStore } from "#storage/sqlite/campaigns/campaign-store.ts";
import { keyStore } from "#storage/sqlite/workspaces/key-store.ts";
import { ledgerStore } from "#storage/sqlite/ledger/ledger-store.ts";
import { listStore } from "#storage/sqlite/lists/list-store.ts";
import type { OnUpgrade } from "#storage/sqlite/schema/migrate.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { peopleStore } from "#storage/sqlite/people/people-store.ts";
import { runStore } from "#storage/sqlite/automations/run-store.ts";
import { scoringStore } from "#storage/sqlite/scoring/scoring-store.ts";
import { suppressionStore } from "#storage/sqlite/consent/suppression-store.ts";
import { workspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { workspaceStore } from "#storage/sqlite/workspaces/workspace-store.ts";
import { suppressionService } from "#suppression/service.ts";
import { trackingService } from "#tracking/service.ts";
import { workPool } from "#work/pool.ts";
import { workspaceService } from "#workspaces/service.ts";
import { startJobThread } from "#threads.ts";

/** What comes from outside: passed in, so that tests choose their own time and chance. */
export type World = { readonly clock: Clock; readonly random: Random; readonly log: Log };

/** That the database cannot be written is said once (fault-watch.ts), and not by everything that fails for it. */
export const saidOnce = (log: Log): Log => unlessSaid(log, (error) => error instanceof StorageError);

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
  const ofContacts = { contacts: contactStore(database, seqOf), clock, newId };
  const contacts = contactService(ofContacts);
  const bulkContacts = bulkContactService(ofContacts);
  const lists = listService({ lists: listStore(database, seqOf), clock, newId });
  const outcomes = deliveryOutcomes();
  const ledger = outcomes.watch(ledgerStore(database));
  const campaigns = campaignService({ campaigns: campaignStore(database, seqOf), ledger, clock, newId });
  const forms = formService({ forms: formStore(database, seqOf), clock, newId });
  const events = eventService({ events: eventStore(database, seqOf), clock, newId });
  const runs = runStore(database, seqOf);
  const flows = automationStore(database, seqOf);
  const work = workPool({ startThread: startJobThread, clock: systemClock, log: world.log });
  const automations = automationService({ automations: flows, workspaces, work, clock, newId });
  const simulations = simulationService({ automations: flows, runs, workspaces, work, clock });
  const scoring = scoringService({ scoring: scoringStore(database, seqOf), clock, newId });
  const people = peopleService({ people: peopleStore(database, seqOf), workspaces, clock });
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
    bulkContacts,
    lists,
    campaigns,
    forms,
    events,
    automations,
    simulations,
    runs,
    scoring,
    people,
    suppressions,
    tracking,
    work,
    close,
  };
}

const logUpgrade =
  (log: Log): OnUpgrade =>
  ({ from, to, copy }, isDone) =>
    isDone
      ? log.info("the database has the new schema; the copy is of the one before", { from, to, copy })
      : log.info("bringing the database up to a newer schema; it is copied first", { from, to });
