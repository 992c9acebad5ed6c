import { field } from "#mail/mime/headers.ts";

/** Carries the same as the Message-ID, for reports from behind relays that give mail a Message-ID of their own. */
export const MESSAGE_FIELD = "X-Postrider-Message";

/** The fields that say which message this is. `messageId` has no angle brackets. */
export const messageIdFields = (messageId: string): string =>
  field("Message-ID", `<${messageId}>`) +
  field(MESSAGE_FIELD, messageId.slice(0, messageId.lastIndexOf("@")));
