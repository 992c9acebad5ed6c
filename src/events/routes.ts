import { unwrap } from "#core/errors/errors.ts";
import { isoOf } from "#core/time/iso.ts";
import { pageOf } from "#http/envelope.ts";
import { created, route, type Route } from "#http/routes/route.ts";
import { parseEvent } from "./event-input.ts";
import {
  duplicateSchema,
  eventQuery,
  eventSchema,
  eventWire,
  newEventBody,
  recordedSchema,
} from "./schema.ts";
import { FOREIGN_FIELDS, FOREIGN_FILTERS } from "./foreign-names.ts";
import type { EventService } from "./service.ts";

/** /events (docs/contract.md "Events"). */
export function eventRoutes(events: EventService): Route[] {
  return [
    route({
      method: "POST",
      path: "/events",
      summary: "Record an event",
      description:
        "Starts the LIVE automations that wait for an event of this name, and counts for lead scoring. 404 for an unknown `contactId`.",
      body: newEventBody,
      foreign: { body: FOREIGN_FIELDS },
      jsonBody: "strict",
      digitsOf: "externalId",
      answers: { 200: duplicateSchema, 201: recordedSchema },
      errors: { NOT_FOUND: "`contactId` is no contact of this workspace." },
      handle: async (call) => {
        const { kind, event } = await events.record(call.workspaceId, unwrap(parseEvent(call.body())));
        const at = isoOf(event.createdAt);
        if (kind === "recorded") return created({ id: event.id, name: event.name, createdAt: at });
        const answer = { id: event.id, duplicate: true, createdAt: at };
        return { status: 200, body: { data: answer, ...answer } };
      },
    }),
    route({
      method: "GET",
      path: "/events",
      summary: "List recorded events",
      description: "Newest first. A contact of somebody else gives an empty page.",
      query: eventQuery,
      foreign: { query: FOREIGN_FILTERS },
      answers: { 200: pageOf(eventSchema) },
      handle: async (call) => {
        const { name, contactId } = call.query;
        const filter = { name: name || null, contactId: contactId || null };
        return call.page(await events.page(call.workspaceId, filter, call.pageRequest()), eventWire);
      },
    }),
  ];
}
