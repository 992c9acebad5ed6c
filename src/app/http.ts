/** Wiring: the routes over the services. */
import { attributeRoutes } from "#attributes/routes.ts";
import { auditRoutes } from "#audit/routes.ts";
import { backupRoutes } from "#backups/routes.ts";
import { automationWebhook } from "#automations/webhook-schema.ts";
import { automationRoutes } from "#automations/routes.ts";
import { mailPreviewRoutes } from "#automations/preview/routes.ts";
import { simulationRoutes } from "#automations/simulation/routes.ts";
import { checkRoutes } from "#campaigns/check/routes.ts";
import { deliveryExportRoutes, deliveryRoutes } from "#campaigns/report/delivery-routes.ts";
import { optionsRoutes } from "#campaigns/options/routes.ts";
import { bounceRoutes } from "#bounces/routes.ts";
import { campaignOutcomeRoutes } from "#campaigns/report/outcome-routes.ts";
import { previewRoutes } from "#campaigns/preview/routes.ts";
import { campaignRoutes } from "#campaigns/routes.ts";
import { consoleRoutes } from "#console/routes.ts";
import { requestIdMaker } from "#core/ids.ts";
import { Cursors } from "#http/cursor.ts";
import type { Document } from "#http/openapi/openapi.ts";
import { openApiDocument } from "#http/openapi/document.ts";
import type { PublicRoute } from "#http/routes/public-route.ts";
import type { Route } from "#http/routes/route.ts";
import { webVersions } from "#deliveries/letters/web-version.ts";
import { deliverabilityRoutes } from "#doctor/route.ts";
import { bulkEventRoutes } from "#events/bulk-routes.ts";
import { eventRoutes } from "#events/routes.ts";
import { formPreviewRoutes } from "#forms/preview-routes.ts";
import { formRoutes } from "#forms/routes.ts";
import { exportRoutes } from "#exports/routes.ts";
import { importRoutes } from "#imports/routes.ts";
import { hookRoutes } from "#inbound/hooks/public-routes.ts";
import { healthRoute } from "#http/health.ts";
import { httpServer } from "#http/server.ts";
import type { TrustedProxies } from "#http/client/client-address.ts";
import { consentRoutes } from "#contacts/consent/consent-routes.ts";
import { bulkContactRoutes } from "#contacts/bulk/bulk-routes.ts";
import { contactRoutes } from "#contacts/routes.ts";
import { keyRoutes } from "#keys/routes.ts";
import { listRoutes } from "#lists/routes.ts";
import type { EventLoopDelay } from "#metrics/event-loop-delay.ts";
import { requestDurations, type RequestDurations } from "#metrics/request-durations.ts";
import { slowedDomains } from "#metrics/figures.ts";
import { metricsRoute } from "#metrics/route.ts";
import { isLocalRequest } from "#pages/mailbox/access.ts";
import { mailboxRoutes, type MailboxParts } from "#pages/mailbox/routes.ts";
import { mediaFileRoutes } from "#media/public-routes.ts";
import { mediaRoutes } from "#media/routes.ts";
import { passkeyRoutes } from "#passkeys/routes.ts";
import { nodeRoutes } from "#nodes/routes.ts";
import { siteOf } from "#passkeys/site.ts";
import { timelineRoutes } from "#timeline/routes.ts";
import { preferencesRoutes } from "#preferences/public-routes.ts";
import { shownLetterRoutes } from "#previews/public-routes.ts";
import { previewLetterRoutes } from "#previews/routes.ts";
import { settingsRoutes } from "#workspaces/routes.ts";
import { segmentRoutes } from "#segments/routes.ts";
import { selectionRoutes } from "#selections/routes.ts";
import { scoringRoutes } from "#scoring/routes.ts";
import { blockedDomainRoutes, suppressionRoutes } from "#suppression/routes.ts";
import { confirmationRoutes } from "#forms/signup/confirm-routes.ts";
import { formPages, signupRoutes } from "#forms/signup/public-routes.ts";
import { referenceRoutes } from "#pages/reference/routes.ts";
import { troublePage } from "#pages/trouble.ts";
import { trackingRoutes } from "#tracking/public-routes.ts";
import { statsRoutes } from "#stats/routes.ts";
import { templateRoutes } from "#templates/routes.ts";
import { messageRoutes } from "#transactional/message-routes.ts";
import { sendRoutes } from "#transactional/routes.ts";
import { eventMessage } from "#webhooks/message-schema.ts";
import { webhookRoutes } from "#webhooks/routes.ts";
import { accountRoutes } from "#sessions/account-routes.ts";
import { sessionRoutes } from "#sessions/routes.ts";
import { userRoutes } from "#users/routes.ts";
import { VERSION } from "#version.ts";
import type { Services } from "./services.ts";
import { faultsOnce, type World } from "./world.ts";
import type { Mail } from "./mail.ts";
import type { Sending } from "./sending.ts";

/** The routes under `/api/v1`, by feature. */
export function apiRoutes(services: Services, sending: Sending): Readonly<Record<string, readonly Route[]>> {
  return {
    contacts: [
      ...contactRoutes(services.contacts),
      ...bulkContactRoutes(services.bulkContacts),
      ...selectionRoutes(services.selections, services.contacts),
      ...timelineRoutes(services.timeline, services.contacts),
    ],
    attributes: attributeRoutes(services.attributes),
    imports: importRoutes(services.imports),
    exports: [...exportRoutes(services.exports), ...deliveryExportRoutes(services.campaigns)],
    lists: listRoutes(services.lists, services.contacts),
    segments: segmentRoutes(services.segments, services.contacts),
    campaigns: [
      ...campaignRoutes(services.campaigns, sending.campaigns),
      ...deliveryRoutes(services.campaigns),
      ...optionsRoutes(services.campaigns),
      ...checkRoutes(services.campaignCheck, services.leftOutOfCheck),
      ...previewRoutes(sending.previews),
      ...campaignOutcomeRoutes(services.campaignOutcomes),
    ],
    automations: [
      ...automationRoutes(services.automations, sending.stops),
      ...simulationRoutes(services.simulations),
      ...mailPreviewRoutes(sending.mailPreviews),
    ],
    events: [...eventRoutes(services.events), ...bulkEventRoutes(services.events)],
    scoring: scoringRoutes(services.scoring),
    forms: [
      ...formRoutes(services.forms, sending.baseUrl),
      ...formPreviewRoutes(services.forms, sending.signups, formPages(sending.signups, sending.baseUrl)),
    ],
    templates: templateRoutes(services.templates, services.renderTemplate),
    media: mediaRoutes(services.media, sending.baseUrl),
    letters: previewLetterRoutes(services.previewLetters, sending.baseUrl),
    send: sendRoutes(sending.transactional),
    messages: messageRoutes(services.messages),
    suppressions: [
      ...suppressionRoutes(services.suppressions),
      ...blockedDomainRoutes(services.suppressions),
    ],
    bounces: bounceRoutes(services.unreadMails),
    consents: consentRoutes(services.contacts),
    settings: settingsRoutes(services.workspaces),
    deliverability: deliverabilityRoutes(sending.deliverability),
    webhooks: webhookRoutes(services.webhooks),
    stats: statsRoutes(services.stats),
    keys: keyRoutes(services.keys),
    users: userRoutes(services.users, sending.baseUrl),
    audit: auditRoutes(services.audit),
    backups: backupRoutes(services.backups),
    nodes: nodeRoutes(services.nodes),
    session: [
      ...sessionRoutes(services.sessions, sending.baseUrl),
      ...accountRoutes(services.accounts, services.welcomes, sending.baseUrl),
      ...passkeyRoutes(services.passkeys, sending.baseUrl),
    ],
  };
}

/** Requests that this service makes to others, as the API's document shows them. */
const WEBHOOKS = { eventMessage, automationWebhook };

/** The routes that need no key, without the mailbox: that one is for the operator of the service. */
function publicRoutes(
  services: Services,
  sending: Sending,
  mail: Mail["kind"],
  clock: World["clock"],
): PublicRoute[] {
  const health = healthRoute({
    version: VERSION,
    mail,
    clock,
    fault: services.engine.fault,
    probeWrite: services.engine.probeWrite,
    relayTrouble: sending.relayTroubles,
    ticks: sending.ticks,
    nodes: services.engine.nodes,
  });
  const letters = {
    secret: services.engine.signingSecret,
    baseUrl: sending.baseUrl,
    work: services.work,
  };
  const pages: PublicRoute[] = [
    health,
    ...preferencesRoutes(services.preferences),
    ...mediaFileRoutes(services.media),
    ...shownLetterRoutes(services.previewLetters),
    ...trackingRoutes(
      services.tracking,
      { webVersionOf: webVersions(services.ledger, letters), hasChoice: services.preferences.hasChoice },
      sending.baseUrl,
    ),
    ...signupRoutes(sending.signups, sending.baseUrl),
    ...confirmationRoutes(sending.signups, sending.baseUrl),
    ...hookRoutes(sending.hooks),
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
 * The API's document without a server or a database. Routes hold data and handlers, and here no handler is
 * called. So they are built over services that do not exist.
 */
export function apiDocument(baseUrl: string): Document {
  const services = absent<Services>({});
  const sending = absent<Sending>({ baseUrl });
  const pages = publicRoutes(services, sending, "smtp", absent({}));
  return openApiDocument({ api: apiRoutes(services, sending), pages, webhooks: WEBHOOKS, baseUrl });
}

/** An object with the given members. Any other member can be taken, but not called. */
function absent<T extends object>(members: Partial<T>): T {
  return new Proxy(members, {
    get: (known, name) => (Reflect.get(known, name) as unknown) ?? absent({}),
  }) as T;
}

/** What the pages need to know about the service as a whole. */
export type Site = Pick<Mail, "kind" | "captured"> & {
  readonly baseUrl: string;
  readonly metricsToken?: string | null;
  readonly mailboxToken?: string | null;
  readonly corsOrigins?: readonly string[];
  /** Started and stopped by the code that runs the server. */
  readonly eventLoop?: EventLoopDelay;
};

function passkeyOrigin(baseUrl: string): string | null {
  const site = siteOf(baseUrl);
  return site.ok ? site.value.origin : null;
}

export function openHttp(
  services: Services,
  sending: Sending,
  world: World,
  isTrustedProxy: TrustedProxies,
  site: Site,
) {
  const { captured, baseUrl, mailboxToken = null } = site;
  const { authenticate } = services.keys;
  const partsOf: MailboxParts["partsOf"] = async ({ workspaceId, raw }) => {
    const read = await services.work.run(workspaceId ?? "", "capturedMail", raw);
    return read.ok ? read.value : null;
  };
  const durations = requestDurations();
  return httpServer({
    api: apiRoutes(services, sending),
    pages: [
      ...consoleRoutes({
        baseUrl,
        version: VERSION,
        hasMailbox: captured !== null,
        hasBackups: services.engine.copy !== null,
        passkeyOrigin: passkeyOrigin(sending.baseUrl),
        random: world.random,
      }),
      ...publicRoutes(services, sending, site.kind, world.clock),
      metricsOf(services, world, site, durations),
      ...(captured ? mailboxRoutes({ captured, partsOf, baseUrl, token: mailboxToken, authenticate }) : []),
    ],
    authenticate,
    signedIn: services.sessions.signedIn,
    baseUrl,
    recorderOf: services.audit.recorderOf,
    pageTrouble: troublePage,
    cursors: new Cursors(services.engine.signingSecret),
    isTrustedProxy,
    apiOrigins: site.corsOrigins ?? [],
    observing: durations.observing,
    begin: sending.requests.begin,
    newRequestId: requestIdMaker(world.random),
    ...world,
    log: faultsOnce(world.log),
  });
}

/** What `/metrics` shows, and to whom. */
function metricsOf(
  { engine, outcomes, reports, lanes }: Services,
  { clock }: World,
  site: Site,
  durations: RequestDurations,
) {
  const { baseUrl, metricsToken = null, eventLoop } = site;
  return metricsRoute({
    version: VERSION,
    clock,
    token: metricsToken,
    isLocal: ({ clientAddress, request }) => isLocalRequest(clientAddress, request.headers, baseUrl),
    figures: () => engine.figures(clock.now()),
    writeFault: engine.fault,
    counted: [
      outcomes.family,
      reports.family,
      () => slowedDomains(lanes.slowedInAll),
      durations.family,
      ...(eventLoop ? [eventLoop.family] : []),
    ],
  });
}

export { eventLoopDelay } from "#metrics/event-loop-delay.ts";
