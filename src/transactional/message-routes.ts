import { unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_MESSAGE_FILTERS } from "./foreign-names.ts";
import {
  messageQuery,
  messageSchema,
  messageStorySchema,
  messageStoryWire,
  messageWire,
} from "./message-schema.ts";
import type { MessageService } from "./message-service.ts";
import { parseMessageFilter } from "./message.ts";

/** /messages (docs/contract.md "Transactional mail"). */
export function messageRoutes(messages: MessageService): Route[] {
  return [
    route({
      method: "GET",
      path: "/messages",
      summary: "List transactional messages and their outcomes",
      description:
        "What `POST /send` sent, newest first, each recipient's message on its own; without tests of campaigns. All filters have to fit. What stood in a message is not kept.",
      query: messageQuery,
      foreign: { query: FOREIGN_MESSAGE_FILTERS },
      answers: { 200: pageOf(messageSchema) },
      handle: async (call) => {
        const filter = unwrap(parseMessageFilter(call.query));
        return call.page(await messages.page(call.workspaceId, filter, call.pageRequest()), messageWire);
      },
    }),
    route({
      method: "GET",
      path: "/messages/:id",
      summary: "Read a transactional message's story",
      description: "With what happened to it: the request, the relay's answer, and reports that came later.",
      answers: { 200: dataOf(messageStorySchema) },
      handle: async (call) => {
        const { message, history } = await messages.find(call.workspaceId, call.params.id);
        return ok(messageStoryWire(message, history));
      },
    }),
  ];
}
