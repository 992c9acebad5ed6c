import { Type } from "@sinclair/typebox";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { noContent, ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_BOUNCE_FILTERS } from "./foreign-names.ts";
import { bounceMailSchema, bounceMailWire, bounceSchema, bounceWire } from "./schema.ts";
import type { UnreadMailService } from "./unread-service.ts";

/** /bounces (docs/contract.md "Bounces to look at"). */
export function bounceRoutes(mails: UnreadMailService): Route[] {
  return [
    route({
      method: "GET",
      path: "/bounces",
      summary: "List the mails about failed mail that could not be read",
      description:
        "Newest first. What could be read is not here: its effect is on the contact, and on their timeline. Kept for 90 days, at most 1,000 and 64 MiB of them.",
      query: Type.Object(pageQuery),
      foreign: { query: FOREIGN_BOUNCE_FILTERS },
      answers: { 200: pageOf(bounceSchema) },
      handle: async (call) => call.page(await mails.page(call.workspaceId, call.pageRequest()), bounceWire),
    }),
    route({
      method: "GET",
      path: "/bounces/:id",
      summary: "Read one of them",
      description:
        "Its text, and the whole mail as it came. Both were written by a stranger: show them as text only.",
      answers: { 200: dataOf(bounceMailSchema) },
      handle: async (call) => ok(bounceMailWire(await mails.show(call.workspaceId, call.params.id))),
    }),
    route({
      method: "DELETE",
      path: "/bounces/:id",
      summary: "Delete one of them, when somebody has looked at it",
      description:
        "This suppresses nobody. If the mail shows that an address is dead: `POST /suppressions` with `HARD_BOUNCE`.",
      answers: { 204: null },
      handle: async (call) => {
        await mails.remove(call.workspaceId, call.params.id);
        return noContent();
      },
    }),
  ];
}
