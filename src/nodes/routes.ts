import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { nodeListSchema, nodeWire } from "./schema.ts";
import type { NodeService } from "./service.ts";

/** /nodes (docs/contract.md "Nodes"). */
export const nodeRoutes = (nodes: NodeService): Route[] => [
  route({
    method: "GET",
    path: "/nodes",
    access: "person",
    summary: "List nodes",
    description:
      "The processes that send from the same PostgreSQL, without pages. With SQLite there is one, and the list is empty. For people who own every workspace.",
    answers: { 200: dataOf(nodeListSchema) },
    errors: { FORBIDDEN: "The person does not own every workspace of this server." },
    handle: async (call) => ok((await nodes.list(call.person)).map(nodeWire)),
  }),
];
