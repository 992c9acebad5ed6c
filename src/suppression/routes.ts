import { Type } from "@sinclair/typebox";
import { parseEmailAddress, parseHostName } from "#core/addresses/email-address.ts";
import { notFound, unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import {
  FOREIGN_BLOCKED_DOMAIN_FIELDS,
  FOREIGN_BLOCKED_DOMAIN_FILTERS,
  FOREIGN_SUPPRESSION_FIELDS,
  FOREIGN_SUPPRESSION_FILTERS,
} from "./foreign-names.ts";
import {
  blockedDomainSchema,
  blockedDomainWire,
  newBlockedDomainBody,
  newSuppressionBody,
  suppressionFilters,
  suppressionSchema,
  suppressionWire,
} from "./schema.ts";
import type { SuppressionService } from "./service.ts";
import { parseNewSuppression, parseSuppressionFilter } from "./suppression-input.ts";

/** /suppressions (docs/contract.md "Suppressions and blocked domains"). */
export function suppressionRoutes(suppressions: SuppressionService): Route[] {
  return [
    route({
      method: "GET",
      path: "/suppressions",
      summary: "List suppressed addresses",
      description: "Newest first.",
      query: Type.Object({ ...pageQuery, ...suppressionFilters }),
      foreign: { query: FOREIGN_SUPPRESSION_FILTERS },
      answers: { 200: pageOf(suppressionSchema) },
      handle: async (call) => {
        const filter = unwrap(parseSuppressionFilter(call.query));
        const page = await suppressions.page(call.workspaceId, filter, call.pageRequest());
        return call.page(page, suppressionWire);
      },
    }),
    route({
      method: "POST",
      path: "/suppressions",
      summary: "Suppress an address",
      description:
        "It is never mailed from now on, and confirmation links that were sent to it no longer work. " +
        "A known address keeps its time and the stronger reason. No contact's status changes.",
      body: newSuppressionBody,
      foreign: { body: FOREIGN_SUPPRESSION_FIELDS },
      answers: { 200: dataOf(suppressionSchema), 201: dataOf(suppressionSchema) },
      says: { 200: "It was suppressed already.", 201: "It is suppressed now." },
      handle: async (call) => {
        const { email, reason } = unwrap(parseNewSuppression(call.body()));
        const { entry, isNew } = await suppressions.add(call.workspaceId, email, reason, "api");
        return isNew ? created(suppressionWire(entry)) : ok(suppressionWire(entry));
      },
    }),
    route({
      method: "DELETE",
      path: "/suppressions/:email",
      summary: "Lift a suppression",
      description:
        "Forgets the entry and changes nothing else. Nobody's status is raised: who is UNSUBSCRIBED or BOUNCED still gets " +
        "no campaign. Of somebody whose contact was deleted the entry is all that remembers the opt-out: without it " +
        "they can be added as SUBSCRIBED.",
      answers: { 204: null },
      handle: async (call) => {
        const email = parseEmailAddress(call.params.email);
        if (!email.ok || !(await suppressions.remove(call.workspaceId, email.value)))
          throw notFound(`A suppression of ${call.params.email}`);
        return noContent();
      },
    }),
  ];
}

/** /blocked-domains (docs/contract.md "Suppressions and blocked domains"). */
export function blockedDomainRoutes(suppressions: SuppressionService): Route[] {
  return [
    route({
      method: "GET",
      path: "/blocked-domains",
      summary: "List blocked domains",
      description: "Newest first.",
      query: Type.Object(pageQuery),
      foreign: { query: FOREIGN_BLOCKED_DOMAIN_FILTERS },
      answers: { 200: pageOf(blockedDomainSchema) },
      handle: async (call) =>
        call.page(await suppressions.domainPage(call.workspaceId, call.pageRequest()), blockedDomainWire),
    }),
    route({
      method: "POST",
      path: "/blocked-domains",
      summary: "Block a domain",
      description:
        "Addresses on it are skipped when sending. A domain that is blocked already stays as it is.",
      body: newBlockedDomainBody,
      foreign: { body: FOREIGN_BLOCKED_DOMAIN_FIELDS },
      answers: { 200: dataOf(blockedDomainSchema), 201: dataOf(blockedDomainSchema) },
      says: { 200: "It was blocked already.", 201: "It is blocked now." },
      handle: async (call) => {
        const { entry, isNew } = await suppressions.blockDomain(call.workspaceId, call.body().domain);
        return isNew ? created(blockedDomainWire(entry)) : ok(blockedDomainWire(entry));
      },
    }),
    route({
      method: "DELETE",
      path: "/blocked-domains/:domain",
      summary: "Unblock a domain",
      description: "Its addresses are mailed again.",
      answers: { 204: null },
      handle: async (call) => {
        const domain = parseHostName(call.params.domain.trim());
        if (!domain.ok || !(await suppressions.unblockDomain(call.workspaceId, domain.value)))
          throw notFound(`The blocked domain ${call.params.domain}`);
        return noContent();
      },
    }),
  ];
}
