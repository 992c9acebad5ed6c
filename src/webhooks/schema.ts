import { Type } from "@sinclair/typebox";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { documentedAs, exact, nullable, oneOf, pageQuery, timestamp } from "#http/envelope.ts";
import { DELIVERY_STATES, type Delivery } from "./delivery.ts";
import { EVENT_TYPES, EVERY_TYPE } from "./event-type.ts";
import type { Webhook } from "./webhook.ts";

/** The wire shapes of webhooks and their deliveries (docs/contract.md "Webhooks"). */

const URL_EXAMPLE = "https://shop.example.org/hooks/postrider";
const url = Type.String({
  description: "Where events are posted to: a public address, http or https. Redirects are not followed.",
  examples: [URL_EXAMPLE],
});
const events = Type.Array(
  oneOf(
    "WebhookEventType",
    [EVERY_TYPE, ...EVENT_TYPES],
    "What happened; `*` means every type, including future ones.",
  ),
  {
    description: 'The events that it receives; `["*"]`: all.',
    examples: [["contact.subscribed", "email.bounced"]],
  },
);

const shown = {
  id: Type.String({ description: "Opaque.", examples: ["wh_01kafh2v8d4m7q9tx5n3rw6czb"] }),
  url,
  events,
  enabled: Type.Boolean({ description: "Whether anything goes out.", examples: [true] }),
  createdAt: timestamp("When it was made."),
  disabledReason: nullable(
    Type.String({
      description: "Why the service disabled it; null if it did not.",
      examples: ["It answered 410 Gone."],
    }),
  ),
};

export const webhookSchema = Type.Object(shown, {
  ...exact,
  $id: "Webhook",
  description: "An address that receives events, without its secret.",
});

export const newWebhookSchema = Type.Object(
  {
    ...shown,
    secret: Type.String({
      description: "Signs every message (Standard Webhooks). It is shown this once.",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    }),
  },
  { ...exact, $id: "WebhookWithSecret", description: "The webhook with its new secret." },
);

const sentEvents = documentedAs({ ...events, minItems: 1 });

export const newWebhookBody = Type.Object(
  {
    url: documentedAs(url),
    events: sentEvents,
    enabled: Type.Optional(
      documentedAs(
        Type.Boolean({
          description:
            "Left out: true. false: nothing goes out, and nothing is written for it, until it is enabled.",
          examples: [true],
        }),
      ),
    ),
  },
  { $id: "WebhookCreate", description: "Whom to tell of what." },
);

export const webhookChangeBody = Type.Object(
  {
    url: Type.Optional(documentedAs(url)),
    events: Type.Optional(sentEvents),
    enabled: Type.Optional(
      documentedAs(
        Type.Boolean({
          description: "true: what is owed goes out at once, and `disabledReason` is cleared.",
          examples: [true],
        }),
      ),
    ),
  },
  { $id: "WebhookUpdate", description: "Only what is sent is changed." },
);

const deliveryState = oneOf(
  "WebhookDeliveryState",
  DELIVERY_STATES,
  "PENDING: owed. DELIVERED: answered 2xx. FAILED: given up.",
);

const attemptSchema = Type.Object(
  {
    at: timestamp("When it began."),
    status: nullable(
      Type.Integer({ description: "The status of the answer; null if none came.", examples: [503] }),
    ),
    answer: Type.String({
      description: "The first 2 KB of the answer's body. A delivery keeps 32 KB of answers: the newest.",
      examples: ["busy"],
    }),
    error: nullable(
      Type.String({
        description: "What went wrong, beside the status.",
        examples: ["The connection was refused."],
      }),
    ),
    durationMs: Type.Integer({ description: "How long it took.", examples: [42] }),
  },
  { ...exact, $id: "WebhookAttempt", description: "One request that was made." },
);

export const deliverySchema = Type.Object(
  {
    id: Type.String({
      description: "The `webhook-id` of the message: the same at every attempt, also after a replay.",
      examples: ["msg_0000002n9c5f0c1b7de2a94c38"],
    }),
    type: Type.String({ description: "What happened.", examples: ["contact.subscribed"] }),
    state: deliveryState,
    attempts: Type.Array(attemptSchema, { description: "Oldest first; of very many, the newest 50." }),
    nextAttemptAt: nullable(timestamp("When it is tried next, at the earliest; null where it is not.")),
    createdAt: timestamp("When it happened."),
  },
  { ...exact, $id: "WebhookDelivery", description: "One message for one webhook." },
);

export const deliveryQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(
    Type.String({ enum: [...DELIVERY_STATES], description: "Only these.", examples: ["FAILED"] }),
  ),
});

export const webhookWire = ({
  id,
  url: target,
  events: types,
  enabled,
  createdAt,
  disabledReason,
}: Webhook) => ({
  id,
  url: target,
  events: types,
  enabled,
  createdAt: isoOf(createdAt),
  disabledReason,
});

export const deliveryWire = ({ id, type, state, attempts, nextAttemptAt, createdAt }: Delivery) => ({
  id,
  type,
  state,
  attempts: attempts.map((attempt) => ({ ...attempt, at: isoOf(attempt.at) })),
  nextAttemptAt: isoOrNull(nextAttemptAt),
  createdAt: isoOf(createdAt),
});
