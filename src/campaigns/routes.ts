import { unwrap } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";
import { inTurns } from "#core/time/event-loop.ts";
import { dataOf, pageOf } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { parseCampaignChange, parseNewCampaign } from "./campaign-input.ts";
import { parseCampaignFilter } from "./filter.ts";
import {
  campaignChangeBody,
  campaignQuery,
  campaignSchema,
  campaignWireWith,
  newCampaignBody,
  reportQuery,
  reportSchema,
  scheduleBody,
  scheduledSchema,
  sendBody,
  sendSchema,
  wireCampaign,
  wireReasons,
  wireReport,
  wireScheduled,
} from "./schema.ts";
import { parseSchedule, readSendOptions } from "#campaigns/send/send-input.ts";
import type { SendAction } from "#campaigns/send/send-control.ts";
import type { CampaignSending } from "#campaigns/send/sending-service.ts";
import {
  FOREIGN_CAMPAIGN_FIELDS,
  FOREIGN_CAMPAIGN_FILTERS,
  FOREIGN_SCHEDULE_FIELDS,
  FOREIGN_SEND_FIELDS,
} from "./foreign-names.ts";
import type { CampaignService } from "./service.ts";

/** /campaigns (docs/contract.md "Campaigns"; the routes for report and deliveries are our extensions). */
export function campaignRoutes(campaigns: CampaignService, sending: CampaignSending): Route[] {
  return [
    ...collection(campaigns),
    ...single(campaigns),
    ...schedules(campaigns),
    sendRoute(sending),
    ...sendControls(campaigns, sending),
    ...outcomes(campaigns, sending),
  ];
}

function collection(campaigns: CampaignService): Route[] {
  return [
    route({
      method: "GET",
      path: "/campaigns",
      summary: "List campaigns",
      description: "Newest first, with their stats. All filters have to fit.",
      query: campaignQuery,
      foreign: { query: FOREIGN_CAMPAIGN_FILTERS },
      answers: { 200: pageOf(campaignSchema) },
      handle: async (call) => {
        const filter = unwrap(parseCampaignFilter(call.query));
        const withDelivered = unwrap(parseInclude(call.query.include, ["delivered"])).has("delivered");
        return call.page(
          await campaigns.page(call.workspaceId, filter, call.pageRequest()),
          campaignWireWith(withDelivered),
        );
      },
    }),
    route({
      method: "POST",
      path: "/campaigns",
      summary: "Create a draft campaign",
      description: "Nothing is sent. The HTML goes out as written, with a footer and tracking added.",
      body: newCampaignBody,
      foreign: { body: FOREIGN_CAMPAIGN_FIELDS },
      answers: { 201: dataOf(campaignSchema) },
      errors: { NOT_FOUND: "`listId` is no list of this workspace." },
      handle: async (call) =>
        created(
          wireCampaign(await campaigns.create(call.workspaceId, unwrap(parseNewCampaign(call.body())))),
        ),
    }),
  ];
}

function single(campaigns: CampaignService): Route[] {
  return [
    route({
      method: "GET",
      path: "/campaigns/:id",
      summary: "Read a campaign",
      description: "Its body is stored and never returned.",
      answers: { 200: dataOf(campaignSchema) },
      handle: async (call) => ok(wireCampaign(await campaigns.find(call.workspaceId, call.params.id))),
    }),
    route({
      method: "PATCH",
      path: "/campaigns/:id",
      summary: "Change a campaign",
      description: "Refused with CAMPAIGN_ALREADY_SENT from the moment its send has begun.",
      body: campaignChangeBody,
      foreign: { body: FOREIGN_CAMPAIGN_FIELDS },
      answers: { 200: dataOf(campaignSchema) },
      errors: {
        NOT_FOUND: "No such campaign in this workspace, or `listId` is no list of it.",
        CAMPAIGN_ALREADY_SENT: "The campaign was sent, or is being sent.",
      },
      handle: async (call) =>
        ok(
          wireCampaign(
            await campaigns.change(call.workspaceId, call.params.id, () => parseCampaignChange(call.body())),
          ),
        ),
    }),
    route({
      method: "DELETE",
      path: "/campaigns/:id",
      summary: "Delete a campaign",
      description:
        "A send under way stops: what has not gone out does not go out. Delivery records are kept.",
      answers: { 204: null },
      handle: async (call) => {
        await campaigns.delete(call.workspaceId, call.params.id);
        return noContent();
      },
    }),
    route({
      method: "POST",
      path: "/campaigns/:id/duplicate",
      operationId: "duplicateCampaign",
      summary: "Copy a campaign",
      description:
        "A DRAFT of the same list, content and options, named `Copy of …`; a name that gets too long is cut. Works for SENT campaigns too.",
      answers: { 201: dataOf(campaignSchema) },
      handle: async (call) =>
        created(wireCampaign(await campaigns.duplicate(call.workspaceId, call.params.id))),
    }),
  ];
}

function schedules(campaigns: CampaignService): Route[] {
  return [
    route({
      method: "POST",
      path: "/campaigns/:id/schedule",
      operationId: "scheduleCampaign",
      summary: "Schedule a campaign, or give it a new time",
      description:
        "The campaign needs a list or a segment. It starts within 2 seconds of its time, unless a guardrail prevents it.",
      body: scheduleBody,
      foreign: { body: FOREIGN_SCHEDULE_FIELDS },
      answers: { 200: dataOf(scheduledSchema) },
      errors: {
        CAMPAIGN_ALREADY_SENT: "The campaign was sent, or is being sent.",
        VALIDATION_ERROR:
          "The campaign has neither list nor segment, its letter does not compile, or the time is missing, no date-time or too near.",
      },
      handle: async (call) =>
        ok(
          wireScheduled(
            await campaigns.schedule(call.workspaceId, call.params.id, (now) =>
              parseSchedule(call.body(), now),
            ),
          ),
        ),
    }),
    route({
      method: "DELETE",
      path: "/campaigns/:id/schedule",
      operationId: "unscheduleCampaign",
      summary: "Cancel a campaign's schedule",
      description:
        "Answers the campaign, a DRAFT again. A campaign that is no longer or not yet SCHEDULED is refused.",
      answers: { 200: dataOf(campaignSchema) },
      errors: {
        CAMPAIGN_ALREADY_SENT: "The campaign was sent, or is being sent.",
        VALIDATION_ERROR: "The campaign is not SCHEDULED.",
      },
      handle: async (call) =>
        ok(wireCampaign(await campaigns.cancelSchedule(call.workspaceId, call.params.id))),
    }),
  ];
}

function sendRoute(sending: CampaignSending): Route {
  return route({
    method: "POST",
    path: "/campaigns/:id/send",
    operationId: "sendCampaign",
    summary: "Send a campaign now",
    description:
      "Answers when everybody was processed, or after about 45 seconds; the rest goes out in the background. A repeated call never mails anyone twice. Millions of recipients take longer than that to be written down: `remaining` counts them as far as that has come, and a refusal that only shows at its end is the next call's answer.",
    body: sendBody,
    foreign: { body: FOREIGN_SEND_FIELDS },
    answers: { 200: dataOf(sendSchema) },
    errors: {
      QUOTA_EXCEEDED: "The send would pass the monthly limit. Nothing was sent.",
      FORBIDDEN: "The workspace is suspended, or sending is turned off.",
      CAMPAIGN_ALREADY_SENT: "The campaign was sent.",
      VALIDATION_ERROR:
        "Neither list nor segment, a letter that does not compile, no mailing address, no sender, nobody left to mail, inside the quiet hours, or past the daily cap; `message` says which. Nothing was sent.",
    },
    handle: async (call) =>
      ok(await sending.send(call.workspaceId, call.params.id, () => inTurns(readSendOptions(call.body())))),
  });
}

/** These routes answer with the report, so that the caller sees the state of the send. */
function sendControls(campaigns: CampaignService, sending: CampaignSending): Route[] {
  const control = (action: SendAction, summary: string, description: string) =>
    route({
      method: "POST",
      path: `/campaigns/:id/${action}`,
      operationId: `${action}Campaign`,
      summary,
      description,
      answers: { 200: dataOf(reportSchema) },
      errors: {
        WRONG_STATE:
          "No send of the campaign is under way: it has not begun, or is over. For a schedule that has not begun, cancel it.",
      },
      handle: async (call) => {
        await sending[action](call.workspaceId, call.params.id);
        return ok(wireReport(await campaigns.report(call.workspaceId, call.params.id, sending)));
      },
    });
  return [
    control(
      "pause",
      "Pause a campaign's send",
      "Nothing new goes out until it is resumed, also after a restart; messages at their dot end. Pausing twice is no error. `blocked` in the report says it.",
    ),
    control(
      "resume",
      "Resume a paused send",
      "It continues where it was, and mails nobody twice. A send that is not paused simply continues.",
    ),
    control(
      "stop",
      "Stop a campaign's send for good",
      "Messages that are still owed become SKIPPED with the reason STOPPED, and the campaign is SENT. With very many recipients, and with messages at their dot, this continues after the answer.",
    ),
  ];
}

function outcomes(campaigns: CampaignService, sending: CampaignSending): Route[] {
  return [
    route({
      method: "GET",
      path: "/campaigns/:id/report",
      summary: "Read how a campaign's send stands",
      description:
        "The counts of all planned recipients, why the send waits if it does, and what is probably a mistake in the letter.",
      query: reportQuery,
      answers: { 200: dataOf(reportSchema) },
      handle: async (call) => {
        const { workspaceId, params } = call;
        const report = await campaigns.report(workspaceId, params.id, sending);
        const asked = unwrap(parseInclude(call.query.include, ["reasons", "paused"]));
        const reasons = asked.has("reasons") && (await campaigns.reasons(workspaceId, params.id));
        return ok({
          ...wireReport(report, asked.has("paused")),
          ...(reasons === false ? {} : { reasons: wireReasons(reasons) }),
        });
      },
    }),
  ];
}
