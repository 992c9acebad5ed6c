/**
 * The composition root: joins storage, mail, services, routes and the scheduler. The only importer of `storage/`.
 */
import { campaignRoutes } from "#campaigns/routes.ts";
import { campaignService } from "#campaigns/service.ts";
import type { Clock } from "#core/clock.ts";
import { idMaker } from "#core/ids.ts";
import type { Random } from "#core/random.ts";
import { Cursors } from "#http/cursor.ts";
import type { Route } from "#http/route.ts";
import { httpServer } from "#http/server.ts";
import type { TrustedProxies } from "#http/client-address.ts";
import { contactRoutes } from "#contacts/routes.ts";
import { contactService } from "#contacts/service.ts";
import { keyService } from "#keys/service.ts";
import { listRoutes } from "#lists/routes.ts";
import { listService } from "#lists/service.ts";
import type { Log } from "#log.ts";
import { contactStore } from "#storage/sqlite/contact-store.ts";
import { campaignStore } from "#storage/sqlite/campaign-store.ts";
import { keyStore } from "#storage/sqlite/key-store.ts";
import { ledgerReads } from "#storage/sqlite/ledger-reads.ts";
import { listStore } from "#storage/sqlite/list-store.ts";
import { openSqlite, type SqliteDatabase } from "#storage/sqlite/open.ts";
import { suppressionStore } from "#storage/sqlite/suppression-store.ts";
import { workspaceSeq } from "#storage/sqlite/workspace-seq.ts";
import { workspaceStore } from "#storage/sqlite/workspace-store.ts";
import { suppressionService } from "#suppression/service.ts";
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
  const campaigns = campaignService({
    campaigns: campaignStore(database, seqOf),
    ledger: ledgerReads(database.sqlite),
    clock,
    newId,
  });
  const suppressions = suppressionService({ suppressions: suppressionStore(database, seqOf), clock });
  return { database, keys, workspaces, contacts, lists, campaigns, suppressions, close: () => database.close() };
}

/** The routes under `/api/v1`, by feature. */
export function apiRoutes(services: Services): Readonly<Record<string, readonly Route[]>> {
  return { contacts: contactRoutes(services.contacts), lists: listRoutes(services.lists), campaigns: campaignRoutes(services.campaigns) };
}

export function openHttp(services: Services, world: World, isTrustedProxy: TrustedProxies) {
  return httpServer({
    api: apiRoutes(services),
    pages: [],
    authenticate: services.keys.authenticate,
    cursors: new Cursors(services.database.signingSecret),
    isTrustedProxy,
    ...world,
  });
}

export type { SqliteDatabase };
