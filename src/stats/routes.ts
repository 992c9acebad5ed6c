import { unwrap } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { statsQuery, statsSchema, statsWire } from "./schema.ts";
import type { StatsService } from "./service.ts";

/** /stats (docs/contract.md "Figures"). */
export function statsRoutes(stats: StatsService): Route[] {
  return [
    route({
      method: "GET",
      path: "/stats",
      summary: "Read what happened, by hour or day",
      description:
        "Whole steps of the workspace's time zone, empty ones too, at most 1,000. Figures are counted when things happen, and a deletion does not change them.",
      query: statsQuery,
      answers: { 200: dataOf(statsSchema) },
      handle: async (call) => {
        const withDelivered = unwrap(parseInclude(call.query.include, ["delivered"])).has("delivered");
        return ok(statsWire(await stats.read(call.workspaceId, call.query), withDelivered));
      },
    }),
  ];
}
