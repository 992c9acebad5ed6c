import { Type } from "@sinclair/typebox";
import { unwrap } from "#core/errors/errors.ts";
import { pageOf, pageQuery } from "#http/envelope.ts";
import { route, type Route } from "#http/routes/route.ts";
import { parseConsentFilter } from "./consent-filter.ts";
import { consentFilters, consentSchema, consentWire } from "./consent-schema.ts";
import type { ContactService } from "#contacts/service.ts";

/** /consents (docs/contract.md "Consents"). */
export function consentRoutes(contacts: ContactService): Route[] {
  return [
    route({
      method: "GET",
      path: "/consents",
      summary: "Read the consent log",
      description:
        "Who agreed to marketing mail and who withdrew, when and through what. Newest first; entries are never changed or deleted.",
      query: Type.Object({ ...pageQuery, ...consentFilters }),
      foreign: { query: { q: "filter by `email` or `contactId`", status: "entries have no status" } },
      answers: { 200: pageOf(consentSchema) },
      handle: async (call) => {
        const filter = unwrap(parseConsentFilter(call.query));
        const request = call.pageRequest();
        return call.page(await contacts.consentPage(call.workspaceId, filter, request), consentWire);
      },
    }),
  ];
}
