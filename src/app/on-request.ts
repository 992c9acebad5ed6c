/** Wiring: the parts of sending that requests use: transactional mail, previews, and what is used without a key. */
import { mailPreviewService } from "#automations/preview/preview-service.ts";
import { previewService } from "#campaigns/preview/preview-service.ts";
import type { Clock } from "#core/time/clock.ts";
import { idMaker } from "#core/ids.ts";
import { deliverability } from "#doctor/workspace/deliverability.ts";
import { systemDns } from "#doctor/dns/dns.ts";
import { signupService } from "#forms/signup/signup-service.ts";
import { amazonSns, askByHttps } from "#inbound/hooks/amazon.ts";
import { hookService } from "#inbound/hooks/service.ts";
import { transactionalService } from "#transactional/service.ts";
import type { World } from "./world.ts";
import type { Parts, Sender, SendingOptions, Ways } from "./sending-parts.ts";

export function openTransactional(
  { engine, stores, workspaces, work, templates, compiledTemplates }: Parts,
  { clock, random, log }: World,
  ways: Ways,
  sender: Sender,
) {
  return transactionalService({
    sends: stores.sends,
    workspaces,
    templates,
    compiledTemplates,
    sender,
    secret: engine.signingSecret,
    work,
    newId: idMaker(clock, random),
    blockedBy: (workspaceId, from) => ways.blockedBy(workspaceId, "transactional", from),
    clock,
    log,
  });
}

export function openPreviews(
  { engine, stores, campaigns, contacts, workspaces, work, checkLetter }: Parts,
  clock: Clock,
  given: {
    readonly baseUrl: string;
    readonly ways: Ways;
    readonly transactional: ReturnType<typeof openTransactional>;
  },
) {
  const { baseUrl, ways, transactional } = given;
  const shared = { secret: engine.signingSecret, baseUrl, work, contacts, workspaces, clock };
  return {
    previews: previewService({
      ...shared,
      campaigns,
      lists: stores.lists,
      transactional,
      checkLetter,
      blockedBy: (workspaceId, from) => ways.blockedBy(workspaceId, "transactional", from),
    }),
    mailPreviews: mailPreviewService({ ...shared, automations: stores.automations }),
  };
}

function openSignups({ engine, stores, workspaces }: Parts, { clock, random, log }: World, sender: Sender) {
  return signupService({
    forms: stores.forms,
    signups: stores.signups,
    workspaces,
    secret: engine.signingSecret,
    wakeSender: sender.wake,
    clock,
    newId: idMaker(clock, random),
    log,
  });
}

export const openDeliverability = (
  { workspaces, stats, webhooks, lanes }: Parts,
  { isCaptured, relays, baseUrl, inboundSmtp = false, dns = systemDns }: SendingOptions,
  ways: Ways,
  clock: Clock,
) =>
  deliverability({
    settingsOf: workspaces.settings,
    ratesOf: stats.recentRates,
    webhooksOf: webhooks.troubled,
    relays: isCaptured === true ? null : relays,
    slowedOf: lanes.slowed,
    standingsOf: ways.standings,
    baseUrl,
    inboundSmtp,
    dns,
    clock,
  });

/** What people and mail providers use without a key. */
export const openPublicSide = (parts: Parts, world: World, options: SendingOptions, sender: Sender) => ({
  signups: openSignups(parts, world, sender),
  hooks: openHooks(parts, world, options),
});

const openHooks = (
  { workspaces, bounces, stores }: Parts,
  { clock, log }: World,
  { askAmazon = askByHttps }: SendingOptions,
) => {
  const amazon = amazonSns({ clock, ask: askAmazon });
  return hookService({ workspaces, bounces, amazon, tokens: stores.hookTokens, clock, log });
};
