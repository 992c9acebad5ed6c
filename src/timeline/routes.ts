import { Type } from "@sinclair/typebox";
import type { ContactService } from "#contacts/service.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { TIMELINE_PLACES } from "./moment.ts";
import { mailableSchema, mailableWire, momentSchema, momentWire } from "./schema.ts";
import type { TimelineService } from "./service.ts";

/** What is known of one contact (docs/contract.md "One person's story"). */
export function timelineRoutes(timeline: TimelineService, contacts: Pick<ContactService, "find">): Route[] {
  return [
    route({
      method: "GET",
      path: "/contacts/:id/timeline",
      summary: "Read a contact's story",
      description:
        "Newest first: consent, suppression, lists, mail and what they did with it, events and automations. `details` depends on `kind`.",
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(momentSchema) },
      handle: async (call) => {
        const { id } = await contacts.find(call.workspaceId, call.params.id);
        const request = call.placesPageRequest(TIMELINE_PLACES);
        return call.page(await timeline.page(call.workspaceId, id, request), momentWire);
      },
    }),
    route({
      method: "GET",
      path: "/contacts/:id/mailable",
      summary: "Tell whether campaigns reach a contact",
      description:
        "Every reason why campaigns pass this person by, decided by the rule that also decides when a message is sent.",
      answers: { 200: dataOf(mailableSchema) },
      handle: async (call) =>
        ok(mailableWire(await timeline.reasonsNotMailed(call.workspaceId, call.params.id))),
    }),
  ];
}
