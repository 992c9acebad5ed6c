import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/route.ts";
import { scoreSchema } from "./schema.ts";
import type { ScoringService } from "./service.ts";

/** The score of a contact (a route that the contract does not have; docs/decisions.md "Events"). */
export function scoringRoutes(scoring: ScoringService): Route[] {
  return [
    route({
      method: "GET",
      path: "/contacts/:id/score",
      summary: "Read a contact's score",
      description: "The sum of the points their events earn. Rules are set on the command line.",
      answers: { 200: dataOf(scoreSchema) },
      handle: async (call) => {
        const contactId = call.params.id;
        return ok({ contactId, score: await scoring.score(call.workspaceId, contactId) });
      },
    }),
  ];
}
