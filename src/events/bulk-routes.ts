import { countOf, linesOf, parseItems, wireLines } from "#http/body/bulk-lines.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { bulkEventsBody, bulkEventsResult } from "./bulk-schema.ts";
import { parseEvent } from "./event-input.ts";
import { FOREIGN_BULK, FOREIGN_FIELDS } from "./foreign-names.ts";
import { newEventBody } from "./schema.ts";
import type { EventService } from "./service.ts";

/** POST /events/bulk (docs/contract.md "Many at once"). */
export function bulkEventRoutes(events: Pick<EventService, "recordAll">): Route[] {
  return [
    route({
      method: "POST",
      path: "/events/bulk",
      operationId: "createEvents",
      summary: "Record many events",
      description:
        "Each as by `POST /events`, in the order of the list. One that cannot be recorded does not stop the others: " +
        "look at `failed`. Give each an `externalId`, and the call can be repeated: what is there already is a duplicate.",
      body: bulkEventsBody,
      foreign: { body: FOREIGN_BULK },
      items: { field: "events", body: newEventBody, foreign: FOREIGN_FIELDS },
      jsonBody: "strict",
      digitsOf: "externalId",
      answers: { 200: dataOf(bulkEventsResult) },
      handle: async (call) => {
        // Only to refuse the names that other services give the list.
        call.body();
        const parsed = await parseItems(call.items(), parseEvent);
        const recorded = await events.recordAll(call.workspaceId, parsed.accepted);
        const lines = linesOf(parsed, recorded, ({ kind, event: { id } }) => ({
          id,
          outcome: kind === "recorded" ? "RECORDED" : "DUPLICATE",
        }));
        return ok({
          recorded: countOf(lines, "RECORDED"),
          duplicates: countOf(lines, "DUPLICATE"),
          failed: countOf(lines, "FAILED"),
          results: wireLines(lines),
        });
      },
    }),
  ];
}
