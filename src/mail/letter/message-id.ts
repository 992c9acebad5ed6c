import { field } from "#mail/mime/headers.ts";

/** Has the same value as the Message-ID, for reports from behind relays that replace the Message-ID with their own. */
export const MESSAGE_FIELD = "X-Postrider-Message";

/** The fields that identify the message. `messageId` has no angle brackets. */
export const messageIdFields = (messageId: string): string =>
  field("Message-ID", `<${messageId}>`) +
  field(MESSAGE_FIELD, messageId.slice(0, messageId.lastIndexOf("@")));
