import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_OPTION_FIELDS, FOREIGN_UTM_FIELDS } from "#campaigns/foreign-names.ts";
import { parseOptionsChange } from "./options-input.ts";
import { contentSchema, optionsChangeBody, optionsSchema, UTM, wireContent, wireOptions } from "./schema.ts";
import type { CampaignService } from "#campaigns/service.ts";

/** A campaign's content as its author wrote it, and its options (docs/contract.md "Options of a campaign"). */
export function optionsRoutes(campaigns: CampaignService): Route[] {
  return [
    route({
      method: "GET",
      path: "/campaigns/:id/content",
      summary: "Read what a campaign's author wrote",
      description:
        "Subject, body and what stands beside them, as they are stored. The campaign itself never returns its body.",
      answers: { 200: dataOf(contentSchema) },
      handle: async (call) => ok(wireContent(await campaigns.letter(call.workspaceId, call.params.id))),
    }),
    route({
      method: "GET",
      path: "/campaigns/:id/options",
      summary: "Read what is set of a campaign beside its own fields",
      description: "Format, sender, audience, tracking. Null is the workspace's, or none.",
      answers: { 200: dataOf(optionsSchema) },
      handle: async (call) =>
        ok(wireOptions((await campaigns.letter(call.workspaceId, call.params.id)).options)),
    }),
    route({
      method: "PATCH",
      path: "/campaigns/:id/options",
      summary: "Change what is set of a campaign beside its own fields",
      description:
        "Refused with CAMPAIGN_ALREADY_SENT from the moment its send has begun. A SCHEDULED campaign that is left without list and segment becomes a DRAFT.",
      body: optionsChangeBody,
      foreign: { body: FOREIGN_OPTION_FIELDS, inside: { utm: { own: UTM, names: FOREIGN_UTM_FIELDS } } },
      answers: { 200: dataOf(optionsSchema) },
      errors: {
        NOT_FOUND: "No such campaign in this workspace, or a list or segment that it does not have.",
        CAMPAIGN_ALREADY_SENT: "The campaign was sent, or is being sent.",
      },
      handle: async (call) => {
        const read = () => parseOptionsChange(call.body());
        return ok(wireOptions(await campaigns.changeOptions(call.workspaceId, call.params.id, read)));
      },
    }),
  ];
}
