import { countOf, linesOf, parseItems, wireLines } from "#http/body/bulk-lines.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { originOf } from "#contacts/api-origin.ts";
import { bulkContactsBody, bulkContactsResult } from "./bulk-schema.ts";
import type { BulkContactService } from "./bulk-service.ts";
import { parseNewContact } from "#contacts/contact-input.ts";
import { FOREIGN_BULK, FOREIGN_FIELDS } from "#contacts/foreign-names.ts";
import { newContactBody } from "#contacts/schema.ts";

/** POST /contacts/bulk (docs/contract.md "Many at once"). */
export function bulkContactRoutes(bulk: BulkContactService): Route[] {
  return [
    route({
      method: "POST",
      path: "/contacts/bulk",
      operationId: "createContacts",
      summary: "Create or change many contacts",
      description:
        "Each as by `POST /contacts`, in the order of the list, and by the same rules of consent. " +
        "One that cannot be written does not stop the others: look at `failed`. Repeating the call changes nothing more.",
      body: bulkContactsBody,
      foreign: { body: FOREIGN_BULK },
      items: { field: "contacts", body: newContactBody, foreign: FOREIGN_FIELDS },
      answers: { 200: dataOf(bulkContactsResult) },
      errors: { NOT_FOUND: "`listId` is no list of this workspace. Nobody was written." },
      handle: async (call) => {
        const { listId, startAutomations = true } = call.body();
        const people = await parseItems(call.items(), parseNewContact);
        const written = await bulk.upsertAll(call.workspaceId, people.accepted, {
          listId: listId || undefined,
          startsAutomations: startAutomations,
          origin: originOf(call),
        });
        const lines = linesOf(people, written, ({ contact, created }) => ({
          id: contact.id,
          outcome: created ? "CREATED" : "UPDATED",
        }));
        return ok({
          created: countOf(lines, "CREATED"),
          updated: countOf(lines, "UPDATED"),
          failed: countOf(lines, "FAILED"),
          results: wireLines(lines),
        });
      },
    }),
  ];
}
