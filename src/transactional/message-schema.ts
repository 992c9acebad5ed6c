import { Type } from "@sinclair/typebox";
import { replyLine } from "#core/smtp-reply.ts";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { exact, nullable, oneOf, pageQuery, timestamp } from "#http/envelope.ts";
import {
  MESSAGE_MOMENTS,
  MESSAGE_STATES,
  messageRecordIdOf,
  type MessageMoment,
  type ShownMessage,
} from "./message.ts";

/** The wire shapes of messages that were sent by POST /send (docs/contract.md "Transactional mail"). */

const state = oneOf(
  "MessageState",
  MESSAGE_STATES,
  "As in the answer of `POST /send`; QUEUED while its request waits, and BOUNCED where the address refused it for good.",
);

export const messageQuery = Type.Object({
  ...pageQuery,
  email: Type.Optional(
    Type.String({
      description: "Only messages to this address, whole and in any case.",
      examples: ["ada@example.com"],
    }),
  ),
  state: Type.Optional({ ...state, description: "Only messages in this state." }),
});

const members = {
  id: Type.String({
    description: "Opaque; the id that the message has in a contact's timeline.",
    examples: ["delivery_4711"],
  }),
  sendId: Type.String({
    description: "The `id` that `POST /send` answered. Its recipients each have a message of their own.",
    examples: ["snd_01kafe2p7k9m4t6w8zr3h5xvqc"],
  }),
  messageId: nullable(
    Type.String({
      description: "Without angle brackets; null where it was never tried.",
      examples: ["000000000005d091059f43743d0a4871@example.com"],
    }),
  ),
  email: Type.String({
    format: "email",
    description: "Where the message goes.",
    examples: ["ada@example.com"],
  }),
  contactId: nullable(
    Type.String({
      description: "Null where nobody in the workspace had the address, or the contact was deleted since.",
      examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
    }),
  ),
  state: { ...state, examples: ["SENT"] },
  reason: nullable(
    Type.String({ description: "Why it was skipped or failed; else null.", examples: [null] }),
  ),
  smtpReply: nullable(
    Type.String({ description: "What the relay said last.", examples: ["250 2.0.0 Ok: queued"] }),
  ),
  attempts: Type.Integer({ minimum: 0, description: "Attempts that counted.", examples: [1] }),
  tags: Type.Array(Type.String(), {
    description: "The `tags` of the request.",
    examples: [["receipt"]],
  }),
  createdAt: timestamp("When the request came."),
  sentAt: nullable(timestamp("When the relay accepted it.")),
};

export const messageSchema = Type.Object(members, {
  ...exact,
  $id: "Message",
  description: "A transactional message to one recipient. Its text is not kept.",
});

const moment = Type.Object(
  {
    at: timestamp("When it happened."),
    what: oneOf(
      "MessageMomentKind",
      MESSAGE_MOMENTS,
      "What happened; REPORTED: a mail or a hook told of it later.",
    ),
    words: nullable(
      Type.String({ description: "What the relay or the report said.", examples: ["2.0.0 Ok: queued"] }),
    ),
  },
  { ...exact, $id: "MessageMoment", description: "Something that happened to a message." },
);

export const messageStorySchema = Type.Object(
  { ...members, history: Type.Array(moment, { description: "What happened to it, the oldest first." }) },
  { ...exact, $id: "MessageStory", description: "A message, and what happened to it." },
);

export function messageWire(message: ShownMessage) {
  const { number, sendId, messageId, email, contactId, reason, reply, attempts, tags } = message;
  return {
    id: messageRecordIdOf(number),
    sendId,
    messageId,
    email,
    contactId,
    state: message.state,
    reason,
    smtpReply: reply && replyLine(reply),
    attempts,
    tags,
    createdAt: isoOf(message.createdAt),
    sentAt: isoOrNull(message.sentAt),
  };
}

export const messageStoryWire = (message: ShownMessage, history: readonly MessageMoment[]) => ({
  ...messageWire(message),
  history: history.map(({ at, what, words }) => ({ at: isoOf(at), what, words })),
});
