import { Type } from "@sinclair/typebox";
import { originOf } from "#contacts/api-origin.ts";
import { parsePageInclude } from "#contacts/include.ts";
import { pageWire } from "#contacts/page-wire.ts";
import { contactSchema, pageInclude } from "#contacts/schema.ts";
import type { ContactService } from "#contacts/service.ts";
import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { parseRules } from "#segments/segment-input.ts";
import { parseAction } from "./action.ts";
import { FOREIGN_ACTION, FOREIGN_CHOICE } from "./foreign-names.ts";
import { actionBody, actionQuery, actionResult, searchBody } from "./schema.ts";
import { parseSelection } from "./selection.ts";
import type { SelectionService } from "./service.ts";

const NAMES_NOTHING_KNOWN = "The rules name a list, segment or campaign that is not of this workspace.";

/** Choosing contacts (docs/contract.md "Choosing contacts"). */
export const selectionRoutes = (selections: SelectionService, contacts: ContactService): Route[] => [
  route({
    method: "POST",
    path: "/contacts/search",
    operationId: "listMatchingContacts",
    summary: "The contacts whom rules hold for",
    description: "As `GET /segments/{id}/contacts`, with rules that are not saved. The newest contact first.",
    query: Type.Object({ ...pageQuery, ...pageInclude }),
    body: searchBody,
    foreign: { body: FOREIGN_CHOICE },
    answers: { 200: pageOf(contactSchema) },
    errors: { NOT_FOUND: NAMES_NOTHING_KNOWN },
    handle: async (call) => {
      const asked = unwrap(parsePageInclude(call.query));
      const request = call.pageRequest();
      const rules = unwrap(parseRules(call.body()));
      const page = await selections.search(call.workspaceId, rules, request);
      return call.page(page, await pageWire(contacts, call.workspaceId, asked, page.items));
    },
  }),
  route({
    method: "POST",
    path: "/contacts/actions",
    operationId: "updateContacts",
    summary: "Do one thing with many contacts",
    description:
      "Tag them, add them to a list, take them off it, or delete them; each by the rules of the route for one. " +
      "With `rules` a call works on up to 1,000, the newest first: call again with `nextCursor` until it is null. " +
      "Repeating a call changes nothing more.",
    query: actionQuery,
    body: actionBody,
    foreign: { body: FOREIGN_ACTION },
    answers: { 200: dataOf(actionResult) },
    errors: { NOT_FOUND: `\`listId\` is no list of this workspace. Or: ${NAMES_NOTHING_KNOWN}` },
    handle: async (call) => {
      const { before } = call.pageRequest();
      const body = call.body();
      const action = unwrap(parseAction(body));
      const selection = unwrap(parseSelection(body));
      const done = await selections.act(call.workspaceId, selection, action, {
        before,
        origin: originOf(call),
        startsAutomations: body.startAutomations ?? true,
      });
      const { nextPosition, ...outcome } = done;
      return ok({ ...outcome, nextCursor: call.cursorOf(nextPosition) });
    },
  }),
];
