/** Wiring: what a server has in addition to the services, to send mail and to do what is due. */
import { webhookCalls } from "#automations/run/calls.ts";
import { automationJob } from "#automations/job.ts";
import { automationLetters } from "#automations/mail/letter.ts";
import { autoPause } from "#campaigns/send/auto-pause.ts";
import { campaignJob } from "#campaigns/job.ts";
import { warningService } from "#campaigns/check/warning-service.ts";
import { planningService } from "#campaigns/send/planning-service.ts";
import { campaignSending } from "#campaigns/send/sending-service.ts";
import { sleep } from "#core/time/clock.ts";
import { idMaker } from "#core/ids.ts";
import { confirmationLetters } from "#forms/signup/letter.ts";
import { letterByKind } from "#deliveries/letter.ts";
import { campaignLetters } from "#deliveries/letters/campaign-letter.ts";
import { waysOut } from "#deliveries/way-out.ts";
import { createSender } from "#deliveries/sender/sender.ts";
import { importJob } from "#imports/job.ts";
import { scheduler } from "#scheduler/scheduler.ts";
import { underWay, type UnderWay } from "#scheduler/under-way.ts";
import { resolveByDns } from "#webhooks/calls/address-book.ts";
import { webhookCaller, type WebhookCaller } from "#webhooks/calls/caller.ts";
import { webhookJob } from "#webhooks/job.ts";
import { openSessions } from "./sender-sessions.ts";
import type { Services } from "./services.ts";
import { COLLECTOR, faultsOnce, type World } from "./world.ts";
import type { Parts, Sender, SendingOptions, Ways } from "./sending-parts.ts";
import { openDeliverability, openPreviews, openPublicSide, openTransactional } from "./on-request.ts";

/** What a server has in addition to the services: the sender, and the scheduler that wakes it. */
export type Sending = ReturnType<typeof openSending>;

export function openSending(services: Services, given: World, options: SendingOptions) {
  const world = { ...given, log: faultsOnce(given.log) };
  const { clock, log } = world;
  const stores = { ...services.stores, ...services.engine.openSendingStores() };
  const parts = { ...services, stores };
  const ways = openWays(services, world, options);
  const sender = openSender(parts, world, options, ways);
  services.work.reachedAt(options.baseUrl);
  const requests = underWay();
  const campaigns = openCampaigns(parts, world, { ...options, sender });
  const caller = webhookCaller(clock, options.resolve ?? resolveByDns);
  const automations = openAutomations(parts, world, {
    caller,
    sender,
    hasRequests: () => requests.isAny,
    wakeRuns: () => tasks.wake("automations"),
  });
  const transactional = openTransactional(parts, world, ways, sender);
  const previews = openPreviews(parts, clock, { ...options, ways, transactional });
  const importing = openImporting(parts, world, requests, () => tasks.wake("imports"));
  const webhooks = openWebhooks(parts, world, { caller, sender, wake: () => tasks.wake("webhooks") });
  const faults = services.engine.watchFaults(given);
  const tasks = scheduler(
    [
      { name: "campaigns", run: campaigns.job.run, nextDueAt: campaigns.job.nextDueAt },
      { name: "automations", run: automations.run, nextDueAt: automations.nextDueAt },
      { name: "sender", run: sender.wake, nextDueAt: sender.nextDueAt },
      { name: "imports", run: importing.run, nextDueAt: importing.nextDueAt },
      { name: "webhooks", run: webhooks.run, nextDueAt: webhooks.nextDueAt },
    ],
    clock,
    log,
  );
  return {
    campaigns: campaigns.sending,
    transactional,
    ...openPublicSide(parts, world, options, sender),
    ...previews,
    baseUrl: options.baseUrl,
    requests,
    relayTroubles: ways.troubles,
    stops: { mailing: sender.stoppedBy, automation: automations.stopped },
    deliverability: openDeliverability(parts, options, ways, clock),
    ticks: tasks.ticks,
    /** Works until `stop`. */
    async start(): Promise<void> {
      tasks.start();
    },
    /** No new messages; those at the relay may finish for `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      // First of all: while calls of webhooks are waited for, no more mail may begin.
      const sent = [sender.stop(graceMs), transactional.stop(graceMs)];
      const ended = [tasks.stop(), campaigns.planning.stop(), services.sendControl.end(), importing.stop()];
      const called = Promise.all([automations.stop(), webhooks.stop()]);
      await Promise.all([...sent, ...ended, Promise.race([called, sleep(clock, graceMs)])]);
      faults.stop();
      ways.close();
    },
  };
}

const openWays = ({ workspaces, engine }: Services, world: World, options: SendingOptions) =>
  waysOut({
    ...options,
    ...world,
    ...openSessions(world, options),
    workspaces,
    secret: engine.signingSecret,
    share: engine.share,
  });

/** The one sender, with the letters of everybody who sends through it. */
function openSender(
  { engine, stores, ledger, workspaces, work, rampOf, lanes }: Parts,
  world: World,
  { run, baseUrl }: SendingOptions,
  ways: Ways,
): Sender {
  const letters = { secret: engine.signingSecret, baseUrl, work };
  return createSender({
    ...world,
    ledger,
    serverRun: run,
    collector: COLLECTOR,
    wayOutOf: ways.of,
    rampOf,
    lanesOf: lanes.of,
    share: engine.share,
    letterOf: letterByKind({
      campaign: campaignLetters(ledger, letters, world.clock),
      automation: automationLetters(stores.runs, ledger, workspaces, letters),
      confirmation: confirmationLetters({ ...letters, workspaces, signups: stores.signups }),
    }),
  });
}

function openCampaigns(
  {
    stores,
    ledger,
    work,
    workspaces,
    stats,
    checkLetter,
    sendControl: control,
    campaignRefusals: refusalOf,
  }: Parts,
  { clock, log }: World,
  { sender, baseUrl }: { readonly sender: Sender; readonly baseUrl: string },
) {
  const { campaigns, plans } = stores;
  const planning = planningService({ campaigns, plans, workspaces, refusalOf, checkLetter, clock, log });
  const warnings = warningService({ campaigns, workspaces, work, baseUrl });
  const shared = { plans, planning, control, clock, log };
  const sending = campaignSending({ ...shared, campaigns, ledger, sender, ...warnings });
  const pausing = autoPause({ sends: stores.sendControl, stats, workspaces, log });
  const job = campaignJob({ ...shared, sending, autoPause: pausing, wakeSender: sender.wake });
  return { planning, sending, job };
}

function openAutomations(
  { stores, workspaces, work }: Parts,
  world: World,
  given: {
    readonly sender: Sender;
    readonly caller: WebhookCaller;
    hasRequests(): boolean;
    wakeRuns(): void;
  },
) {
  const { runs } = stores;
  const { sender, hasRequests, wakeRuns, caller } = given;
  runs.onStarts(wakeRuns);
  return automationJob({
    ...world,
    runs,
    workspaces,
    calls: webhookCalls({ ...world, runs, workspaces, caller }),
    work,
    hasRequests,
    wakeRuns,
    wakeSender: sender.wake,
    newId: idMaker(world.clock, world.random),
  });
}

function openImporting(
  { imports, stores, importedFiles }: Parts,
  { clock, random, log }: World,
  requests: UnderWay,
  wake: () => void,
) {
  const importing = importJob({
    imports: stores.imports,
    files: importedFiles,
    isAwaited: () => requests.isAny,
    newId: idMaker(clock, random),
    clock,
    log,
  });
  imports.onStart(() => {
    importing.wake();
    wake();
  });
  return importing;
}

function openWebhooks(
  { webhooks, workspaces, stores }: Parts,
  world: World,
  given: { readonly caller: WebhookCaller; readonly sender: Sender; wake(): void },
) {
  const { caller, sender, wake } = given;
  const { outbox } = stores;
  const job = webhookJob({
    ...world,
    outbox,
    workspaces,
    caller,
    isSending: () => sender.isSending,
    wake,
  });
  webhooks.onChange(job.changed);
  return job;
}
