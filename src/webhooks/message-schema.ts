import { Type } from "@sinclair/typebox";
import { campaignSchema } from "#campaigns/schema.ts";
import { contactSchema } from "#contacts/schema.ts";
import { exact, nullable, oneOf, timestamp } from "#http/envelope.ts";
import type { WebhookOperation } from "#http/openapi/webhook.ts";
import { EVENT_TYPES, TEST_TYPE } from "./event-type.ts";

/** How the API document describes what is posted to webhooks (docs/contract.md "Webhooks"). */

const contactId = Type.String({ description: "Whose it is.", examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"] });
const email = Type.String({ format: "email", description: "The address.", examples: ["ada@example.com"] });
const automationId = Type.String({
  description: "The automation.",
  examples: ["aut_01kafe6w3p8m2t9qxj5r7vn4bc"],
});
const link = Type.String({
  description: "`email.clicked` only: where the link leads.",
  examples: ["https://shop.example.org/new"],
});
const reason = Type.String({
  description: "`email.bounced` only: why the address was refused.",
  examples: ["USER_UNKNOWN"],
});

const data = Type.Union(
  [
    Type.Object(
      { contact: contactSchema },
      { ...exact, $id: "ContactEventData", description: "`contact.*`: the contact as it was then." },
    ),
    Type.Object(
      {
        contactId: nullable(contactId),
        email,
        campaignId: nullable(
          Type.String({ description: "Its campaign, if any.", examples: ["cmp_01kafd8m4x6r2q9wv3t7hn5zbk"] }),
        ),
        automationId: nullable(automationId),
        messageId: nullable(
          Type.String({
            description: "Of the message's header `Message-ID`, without brackets.",
            examples: ["9f86d081884c7d659a2feaa0c55ad015@shop.example.org"],
          }),
        ),
        url: Type.Optional(link),
        reason: Type.Optional(nullable(reason)),
      },
      { ...exact, $id: "EmailEventData", description: "`email.*`: which message to whom." },
    ),
    Type.Object(
      { campaign: campaignSchema },
      { ...exact, $id: "CampaignEventData", description: "`campaign.*`: the campaign as it was then." },
    ),
    Type.Object(
      {
        formId: Type.String({ description: "The form.", examples: ["form_01kafd2n7x4w9q6mv3t8hr5zbc"] }),
        email,
        contactId: nullable(contactId),
      },
      {
        ...exact,
        $id: "FormEventData",
        description: "`form.submitted`; `contactId` is null where there is no contact, or none yet.",
      },
    ),
    Type.Object(
      {
        automationId,
        enrollmentId: Type.String({ description: "The run.", examples: ["enr_01kafe9d2c7v4h8mwn6t3xq5rk"] }),
        contactId,
      },
      { ...exact, $id: "AutomationEventData", description: "`automation.*`: whose run ended." },
    ),
    Type.Object(
      {
        webhookId: Type.String({ description: "The webhook.", examples: ["wh_01kafh2v8d4m7q9tx5n3rw6czb"] }),
      },
      { ...exact, $id: "TestEventData", description: "`webhook.test`." },
    ),
  ],
  { description: "What it is about, by `type`." },
);

const message = Type.Object(
  {
    type: oneOf("EventMessageType", [...EVENT_TYPES, TEST_TYPE], "What happened."),
    timestamp: timestamp("When it happened."),
    data,
  },
  { ...exact, $id: "EventMessage", description: "Something happened in the workspace." },
);

/** The headers of every message: see `src/webhooks/calls/signature.ts`. */
export const messageHeaders = Type.Object({
  "webhook-id": Type.String({
    description: "The same at every attempt.",
    examples: ["msg_enr_01kafe9d2c7v4h8mwn6t3xq5rk_3"],
  }),
  "webhook-timestamp": Type.String({
    description:
      "When this attempt was made: seconds since 1970. Refuse one that is more than five minutes off.",
    examples: ["1795253400"],
  }),
  "webhook-signature": Type.String({
    description:
      "`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. Several are separated by spaces; one good one is enough.",
    examples: ["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="],
  }),
});

export const eventMessage: WebhookOperation = {
  operationId: "receiveEvent",
  tag: "receivers",
  summary: "Something happened that a webhook asked for",
  description:
    "Posted to the `url` of a webhook that asked for its `type`. Check the signature before you believe it, and drop a `webhook-id` you have seen: a message can come twice. Messages need not come in the order in which things happened.",
  headers: messageHeaders,
  body: message,
  answers: {
    "2XX": "Taken.",
    410: "Nobody listens here any more: the webhook is disabled.",
    default:
      "Anything else, a redirect, or no answer within 10 seconds: tried again after 1, 5, 15 and 60 minutes, 3 hours and then every 8 hours, for three days; `Retry-After` is honoured on 429 and 503. An endpoint that keeps failing gets one request at a time and rests in between, for up to an hour. After three days without a success the webhook is disabled.",
  },
};
