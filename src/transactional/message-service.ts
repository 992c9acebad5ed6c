import { domainOf } from "#core/addresses/email-address.ts";
import { notFound } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import { messageIdOf } from "#deliveries/token.ts";
import {
  historyOf,
  messageNumberOf,
  type Message,
  type MessageFilter,
  type MessageMoment,
  type ShownMessage,
} from "./message.ts";
import type { MessageStore } from "./store.ts";

export type MessageService = ReturnType<typeof messageService>;

/** Messages of POST /send that people look up. */
export function messageService(parts: { readonly messages: MessageStore; readonly secret: Uint8Array }) {
  const { messages, secret } = parts;

  const shown = (message: Message): ShownMessage => {
    const { number, state, from, settledAt, bouncedAt } = message;
    const isNamed = state !== "SKIPPED" && from !== null;
    return {
      ...message,
      messageId: isNamed ? `${messageIdOf(secret, number)}@${domainOf(from)}` : null,
      sentAt: state === "SENT" || bouncedAt !== null ? settledAt : null,
    };
  };

  return {
    async page(
      workspaceId: string,
      filter: MessageFilter,
      request: PageRequest,
    ): Promise<Page<ShownMessage>> {
      const page = await messages.page(workspaceId, filter, request);
      return { ...page, items: page.items.map(shown) };
    },

    /** @throws AppError NOT_FOUND */
    async find(
      workspaceId: string,
      id: string,
    ): Promise<{ message: ShownMessage; history: MessageMoment[] }> {
      const number = messageNumberOf(id);
      const message = number === null ? null : await messages.find(workspaceId, number);
      if (message === null) throw notFound(`The message ${id}`);
      return {
        message: shown(message),
        history: historyOf(message, await messages.reports(message.number)),
      };
    },
  };
}
