import { Type } from "@sinclair/typebox";
import { dataOf } from "#http/envelope.ts";
import { noContent, ok, route, type Route } from "#http/routes/route.ts";
import { attributeUseSchema, attributeUseWire } from "./schema.ts";
import type { AttributeService } from "./service.ts";

export function attributeRoutes(attributes: AttributeService): Route[] {
  return [
    route({
      method: "GET",
      path: "/attributes",
      summary: "List the attributes that contacts have",
      description:
        "By name, not paginated: a workspace has at most 500. A name that no contact has any more is not listed.",
      answers: { 200: dataOf(Type.Array(attributeUseSchema, { description: "The names, in their order." })) },
      handle: async (call) => ok((await attributes.list(call.workspaceId)).map(attributeUseWire)),
    }),
    route({
      method: "DELETE",
      path: "/attributes/:name",
      summary: "Take an attribute off every contact",
      description: "The contacts stay. There is no way back.",
      answers: { 204: null },
      handle: async (call) => {
        await attributes.remove(call.workspaceId, call.params.name);
        return noContent();
      },
    }),
  ];
}
