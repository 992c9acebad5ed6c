import { Type } from "@sinclair/typebox";
import { parseContactFilter } from "#contacts/contact-filter.ts";
import { parsePageInclude } from "#contacts/include.ts";
import { pageWire } from "#contacts/page-wire.ts";
import { contactSchema, memberFilters, pageInclude } from "#contacts/schema.ts";
import type { ContactService } from "#contacts/service.ts";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Route } from "#http/routes/route.ts";
import { parseListOptions } from "./options-input.ts";
import { parseListContent, parseMembers } from "./list-input.ts";
import {
  addedSchema,
  listChangeBody,
  listFilters,
  listOptionsBody,
  listOptionsSchema,
  listOptionsWire,
  listSchema,
  listWire,
  membersBody,
  newListBody,
} from "./schema.ts";
import {
  FOREIGN_LIST_FIELDS,
  FOREIGN_LIST_FILTERS,
  FOREIGN_MEMBER_FIELDS,
  FOREIGN_OPTION_FIELDS,
} from "./foreign-names.ts";
import { FOREIGN_MEMBER_FILTERS } from "#contacts/foreign-names.ts";
import type { ListService } from "./service.ts";

export function listRoutes(lists: ListService, contacts: ContactService): Route[] {
  return [...collection(lists), ...single(lists), ...options(lists), ...members(lists, contacts)];
}

function collection(lists: ListService): Route[] {
  return [
    route({
      method: "GET",
      path: "/lists",
      summary: "List the lists",
      description: "Newest first.",
      query: Type.Object({ ...pageQuery, ...listFilters }),
      foreign: { query: FOREIGN_LIST_FILTERS },
      answers: { 200: pageOf(listSchema) },
      handle: async (call) =>
        call.page(await lists.page(call.workspaceId, call.query.q || null, call.pageRequest()), listWire),
    }),
    route({
      method: "POST",
      path: "/lists",
      summary: "Create a list",
      description: "It starts empty.",
      body: newListBody,
      foreign: { body: FOREIGN_LIST_FIELDS },
      answers: { 201: dataOf(listSchema) },
      handle: async (call) =>
        created(listWire(await lists.create(call.workspaceId, unwrap(parseListContent(call.body()))))),
    }),
  ];
}

function single(lists: ListService): Route[] {
  return [
    route({
      method: "GET",
      path: "/lists/:id",
      summary: "Read a list",
      description: "With the number of contacts on it.",
      answers: { 200: dataOf(listSchema) },
      handle: async (call) => ok(listWire(await lists.find(call.workspaceId, call.params.id))),
    }),
    route({
      method: "PATCH",
      path: "/lists/:id",
      summary: "Rename a list",
      description: "Its members do not change.",
      body: listChangeBody,
      foreign: { body: FOREIGN_LIST_FIELDS },
      answers: { 200: dataOf(listSchema) },
      handle: async (call) => {
        const id = call.params.id;
        await lists.find(call.workspaceId, id);
        return ok(listWire(await lists.change(call.workspaceId, id, unwrap(parseListContent(call.body())))));
      },
    }),
    route({
      method: "DELETE",
      path: "/lists/:id",
      summary: "Delete a list",
      description: "Its contacts stay. Campaigns lose it; one that is scheduled on it returns to DRAFT.",
      answers: { 204: null },
      handle: async (call) => {
        await lists.delete(call.workspaceId, call.params.id);
        return noContent();
      },
    }),
  ];
}

function options(lists: ListService): Route[] {
  return [
    route({
      method: "GET",
      path: "/lists/:id/options",
      summary: "Read what readers see of a list",
      description: "A list is not public until it is made so.",
      answers: { 200: dataOf(listOptionsSchema) },
      handle: async (call) => ok(listOptionsWire(await lists.options(call.workspaceId, call.params.id))),
    }),
    route({
      method: "PATCH",
      path: "/lists/:id/options",
      summary: "Change what readers see of a list",
      description:
        "While a workspace has public lists, marketing mail has a link to a page where readers join and leave them.",
      body: listOptionsBody,
      foreign: { body: FOREIGN_OPTION_FIELDS },
      answers: { 200: dataOf(listOptionsSchema) },
      handle: async (call) => {
        const id = call.params.id;
        await lists.find(call.workspaceId, id);
        const change = unwrap(parseListOptions(call.body()));
        return ok(listOptionsWire(await lists.changeOptions(call.workspaceId, id, change)));
      },
    }),
  ];
}

function members(lists: ListService, contacts: ContactService): Route[] {
  return [
    route({
      method: "GET",
      path: "/lists/:id/contacts",
      summary: "The contacts on a list",
      description: "The newest contact first, whenever it joined.",
      query: Type.Object({ ...pageQuery, ...memberFilters, ...pageInclude }),
      foreign: { query: FOREIGN_MEMBER_FILTERS },
      answers: { 200: pageOf(contactSchema) },
      handle: async (call) => {
        const id = call.params.id;
        await lists.find(call.workspaceId, id);
        const filter = unwrap(parseContactFilter(call.query));
        const asked = unwrap(parsePageInclude(call.query));
        const page = await lists.contacts(call.workspaceId, id, filter, call.pageRequest());
        return call.page(page, await pageWire(contacts, call.workspaceId, asked, page.items));
      },
    }),
    route({
      method: "POST",
      path: "/lists/:id/contacts",
      operationId: "addListContacts",
      summary: "Add contacts to a list",
      description:
        "All or nobody: an id that is unknown or sent twice answers 404, naming it. " +
        "Contacts that are UNSUBSCRIBED or BOUNCED are skipped.",
      body: membersBody,
      foreign: { body: FOREIGN_MEMBER_FIELDS },
      answers: { 200: dataOf(addedSchema) },
      errors: {
        NOT_FOUND: "No such list in this workspace, or an id that is no contact of it or was sent twice.",
      },
      handle: async (call) => {
        const id = call.params.id;
        await lists.find(call.workspaceId, id);
        const contactIds = unwrap(parseMembers(call.body()));
        return ok(await lists.addContacts(call.workspaceId, id, contactIds));
      },
    }),
    route({
      method: "DELETE",
      path: "/lists/:id/contacts/:contactId",
      operationId: "removeListContact",
      summary: "Take a contact off a list",
      description: "Not an error where the contact was not on it.",
      answers: { 204: null },
      handle: async (call) => {
        await lists.removeContact(call.workspaceId, call.params.id, call.params.contactId);
        return noContent();
      },
    }),
  ];
}
