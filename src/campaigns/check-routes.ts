import { dataOf } from "#http/envelope.ts";
import { created, ok, route, type Route } from "#http/route.ts";
import type { CheckCampaign } from "./check-service.ts";
import { FOREIGN_SEND_FIELDS } from "./foreign-names.ts";
import { checkSchema } from "./check-schema.ts";
import { campaignSchema, sendBody, wireCampaign } from "./schema.ts";
import { readSendOptions } from "./send-input.ts";
import type { CampaignService } from "./service.ts";

/** What a send would do, and a campaign that is made of another one. */
export function checkRoutes(campaigns: CampaignService, check: CheckCampaign): Route[] {
  return [
    route({
      method: "POST",
      path: "/campaigns/:id/check",
      operationId: "checkCampaign",
      summary: "See what a send would do now",
      description:
        "A dry run: it sends and changes nothing. Who would get it, who would be left out and why, what a send would be refused for, and how long it would take. Of a send under way: who is still owed.",
      body: sendBody,
      foreign: { body: FOREIGN_SEND_FIELDS },
      answers: { 200: dataOf(checkSchema) },
      handle: async (call) =>
        ok(await check(call.workspaceId, call.params.id, () => readSendOptions(call.body()))),
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
