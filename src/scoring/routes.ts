import { Type } from "@sinclair/typebox";
import { notFound, unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_RULE_FIELDS, FOREIGN_RULE_FILTERS } from "./foreign-names.ts";
import { newRuleBody, ruleSchema, ruleWire, scoreSchema } from "./schema.ts";
import { parseScoringRule } from "./scoring.ts";
import type { ScoringService } from "./service.ts";

/** Scoring rules, and the score of a contact (docs/contract.md "Scoring rules"; docs/decisions.md "Events"). */
export function scoringRoutes(scoring: ScoringService): Route[] {
  return [
    route({
      method: "GET",
      path: "/contacts/:id/score",
      summary: "Read a contact's score",
      description: "The sum of the points that their events earn under the scoring rules.",
      answers: { 200: dataOf(scoreSchema) },
      handle: async (call) => {
        const contactId = call.params.id;
        return ok({ contactId, score: await scoring.score(call.workspaceId, contactId) });
      },
    }),
    route({
      method: "GET",
      path: "/scoring-rules",
      summary: "List scoring rules",
      description: "Newest first.",
      query: Type.Object(pageQuery),
      foreign: { query: FOREIGN_RULE_FILTERS },
      answers: { 200: pageOf(ruleSchema) },
      handle: async (call) => call.page(await scoring.page(call.workspaceId, call.pageRequest()), ruleWire),
    }),
    route({
      method: "POST",
      path: "/scoring-rules",
      summary: "Create a scoring rule",
      description:
        "Scores are summed up when they are asked for: the rule counts at once, also for events of the past. " +
        "A workspace has at most 200 rules.",
      body: newRuleBody,
      foreign: { body: FOREIGN_RULE_FIELDS },
      answers: { 201: dataOf(ruleSchema) },
      handle: async (call) => {
        const rule = unwrap(parseScoringRule(call.body()));
        return created(ruleWire(await scoring.add(call.workspaceId, rule)));
      },
    }),
    route({
      method: "DELETE",
      path: "/scoring-rules/:id",
      summary: "Delete a scoring rule",
      description: "Its points are gone from every score at once.",
      answers: { 204: null },
      handle: async (call) => {
        const { id } = call.params;
        if (!(await scoring.remove(call.workspaceId, id))) throw notFound(`The scoring rule ${id}`);
        return noContent();
      },
    }),
  ];
}
