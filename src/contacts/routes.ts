import { Type } from "@sinclair/typebox";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { originOfOne } from "./api-origin.ts";
import { parseContactFilter } from "./contact-filter.ts";
import { parseContactChange, parseNewContact } from "./contact-input.ts";
import {
  contactChangeBody,
  contactFilters,
  contactInclude,
  contactSchema,
  contactWireIn,
  membershipSchema,
  membershipWire,
  newContactBody,
  pageInclude,
  tagFilters,
  tagUseSchema,
} from "./schema.ts";
import { FOREIGN_FIELDS, FOREIGN_FILTERS } from "./foreign-names.ts";
import { parseContactInclude, parsePageInclude } from "./include.ts";
import { pageWire } from "./page-wire.ts";
import type { ContactService } from "./service.ts";

export function contactRoutes(contacts: ContactService): Route[] {
  return [...collection(contacts), ...single(contacts), ...inUse(contacts)];
}

function collection(contacts: ContactService): Route[] {
  return [
    route({
      method: "GET",
      path: "/contacts",
      summary: "List contacts",
      description: "Newest first. All filters have to fit.",
      query: Type.Object({ ...pageQuery, ...contactFilters, ...pageInclude }),
      foreign: { query: FOREIGN_FILTERS },
      answers: { 200: pageOf(contactSchema) },
      handle: async (call) => {
        const filter = unwrap(parseContactFilter(call.query));
        const asked = unwrap(parsePageInclude(call.query));
        const page = await contacts.page(call.workspaceId, filter, call.pageRequest());
        return call.page(page, await pageWire(contacts, call.workspaceId, asked, page.items));
      },
    }),
    route({
      method: "POST",
      path: "/contacts",
      summary: "Create a contact, or change the one with this address",
      description:
        "A new address becomes SUBSCRIBED unless a `status` is sent: calling this says that the person agreed to marketing email. " +
        "Somebody who opted out comes back only with `consent` = `explicit`.",
      query: Type.Object(contactInclude),
      body: newContactBody,
      foreign: { body: FOREIGN_FIELDS },
      answers: {
        200: dataOf(contactSchema),
        201: dataOf(contactSchema),
      },
      says: {
        200: "The contact that was there already, as it is now.",
        201: "The new contact, with the status after the rules of consent.",
      },
      handle: async (call) => {
        const isAsked = unwrap(parseContactInclude(call.query));
        const input = unwrap(parseNewContact(call.body()));
        const { contact, created: isNew } = await contacts.upsert(
          call.workspaceId,
          input,
          originOfOne(call, input.consent),
        );
        const wire = contactWireIn(isAsked || input.attributes !== undefined);
        return (isNew ? created : ok)(wire(contact));
      },
    }),
  ];
}

const inUse = (contacts: ContactService): Route[] => [
  route({
    method: "GET",
    path: "/tags",
    operationId: "listTags",
    summary: "List the tags that contacts have",
    description:
      "The most used first, at most 100, not paginated. Of a workspace with thousands of tags, the first 5,000 by name are " +
      "looked at, and those that begin with `q`.",
    query: Type.Object(tagFilters),
    answers: { 200: dataOf(Type.Array(tagUseSchema, { description: "The tags." })) },
    handle: async (call) => ok(await contacts.tags(call.workspaceId, call.query.q ?? "")),
  }),
];

function single(contacts: ContactService): Route[] {
  return [
    route({
      method: "GET",
      path: "/contacts/:id",
      summary: "Read a contact",
      description: "By its id. To find one by address, list with `q`.",
      query: Type.Object(contactInclude),
      answers: { 200: dataOf(contactSchema) },
      handle: async (call) => {
        const contact = await contacts.find(call.workspaceId, call.params.id);
        return ok(contactWireIn(unwrap(parseContactInclude(call.query)))(contact));
      },
    }),
    route({
      method: "PATCH",
      path: "/contacts/:id",
      summary: "Change a contact",
      description: "Send only the fields to change. 409 if another contact has the new address.",
      query: Type.Object(contactInclude),
      body: contactChangeBody,
      foreign: { body: FOREIGN_FIELDS },
      answers: { 200: dataOf(contactSchema) },
      errors: { CONFLICT: "Another contact of the workspace has the new address." },
      handle: async (call) => {
        const id = call.params.id;
        await contacts.find(call.workspaceId, id);
        const isAsked = unwrap(parseContactInclude(call.query));
        const change = unwrap(parseContactChange(call.body()));
        const contact = await contacts.change(
          call.workspaceId,
          id,
          change,
          originOfOne(call, change.consent),
        );
        return ok(contactWireIn(isAsked || change.attributes !== undefined)(contact));
      },
    }),
    route({
      method: "DELETE",
      path: "/contacts/:id",
      summary: "Delete a contact",
      description: "The address of an UNSUBSCRIBED or BOUNCED contact stays suppressed.",
      answers: { 204: null },
      handle: async (call) => {
        await contacts.delete(call.workspaceId, call.params.id);
        return noContent();
      },
    }),
    route({
      method: "GET",
      path: "/contacts/:id/lists",
      summary: "The lists a contact is on",
      description: "The newest list first, not paginated.",
      answers: { 200: dataOf(Type.Array(membershipSchema, { description: "The lists, newest first." })) },
      handle: async (call) =>
        ok((await contacts.lists(call.workspaceId, call.params.id)).map(membershipWire)),
    }),
  ];
}
