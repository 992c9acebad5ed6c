import { contactSchema, contactWireIn } from "#contacts/schema.ts";
import { unwrap } from "#core/errors/errors.ts";
import { inTurns } from "#core/time/event-loop.ts";
import { dataOf, pageOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { checkSchema, leftOutQuery } from "./schema.ts";
import type { CheckCampaign, FindLeftOutOf } from "./check-service.ts";
import { FOREIGN_LEFT_OUT_FILTERS, FOREIGN_SEND_FIELDS } from "#campaigns/foreign-names.ts";
import { parseLeftOutReason } from "./left-out.ts";
import { sendBody } from "#campaigns/schema.ts";
import { readSendOptions } from "#campaigns/send/send-input.ts";

/** The routes that say what a send would do. */
export function checkRoutes(check: CheckCampaign, leftOut: FindLeftOutOf): Route[] {
  return [
    route({
      method: "POST",
      path: "/campaigns/:id/check",
      operationId: "checkCampaign",
      summary: "See what a send would do now",
      description:
        "A dry run: it sends and changes nothing. How many would get it, how many would be left out and why, what a send would be refused for, and how long it would take. Of a send under way: how many are still owed.",
      body: sendBody,
      foreign: { body: FOREIGN_SEND_FIELDS },
      answers: { 200: dataOf(checkSchema) },
      handle: async (call) =>
        ok(await check(call.workspaceId, call.params.id, () => inTurns(readSendOptions(call.body())))),
    }),
    route({
      method: "GET",
      path: "/campaigns/:id/check/contacts",
      summary: "List whom a send would leave out, for one reason",
      description:
        "The people behind a number of the dry run, newest first. Once its send has begun, its deliveries tell.",
      query: leftOutQuery,
      foreign: { query: FOREIGN_LEFT_OUT_FILTERS },
      answers: { 200: pageOf(contactSchema) },
      errors: { WRONG_STATE: "Its send has begun, or is over." },
      handle: async (call) => {
        const read = () => ({
          reason: unwrap(parseLeftOutReason(call.query.reason)),
          page: call.pageRequest(),
        });
        return call.page(await leftOut(call.workspaceId, call.params.id, read), contactWireIn(false));
      },
    }),
  ];
}
