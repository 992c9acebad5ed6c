import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { parseTimelineStep } from "./outcome-figures.ts";
import { linksSchema, timelineQuery, timelineSchema, wireStep } from "./outcome-schema.ts";
import type { CampaignOutcomes } from "./outcome-service.ts";

/** /campaigns/{id}/links and /timeline (docs/contract.md "What became of a campaign"). */
export function campaignOutcomeRoutes(outcomes: CampaignOutcomes): Route[] {
  return [
    route({
      method: "GET",
      path: "/campaigns/:id/links",
      summary: "List a campaign's links by their clicks",
      description:
        "The most clicked first, at most 1,000. Machines are not counted. Where everybody gets the same links, those that nobody followed are there too.",
      answers: { 200: dataOf(linksSchema) },
      handle: async (call) => ok([...(await outcomes.links(call.workspaceId, call.params.id))]),
    }),
    route({
      method: "GET",
      path: "/campaigns/:id/timeline",
      summary: "Read what became of a campaign, by hour or day",
      description:
        "Whole steps of the workspace's time zone from the first message until now, empty ones too, at most the first 1,000. Empty before the first message.",
      query: timelineQuery,
      answers: { 200: dataOf(timelineSchema) },
      handle: async (call) => {
        const readStep = () => unwrap(parseTimelineStep(call.query["step"]));
        const steps = await outcomes.timeline(call.workspaceId, call.params.id, readStep);
        return ok(steps.map(wireStep));
      },
    }),
  ];
}
