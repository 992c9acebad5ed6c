import { Type } from "@sinclair/typebox";
import { contactSchema } from "#contacts/schema.ts";
import { eventSchema } from "#events/schema.ts";
import { exact, nullable, timestamp } from "#http/envelope.ts";
import { messageHeaders } from "#webhooks/message-schema.ts";
import type { WebhookOperation } from "#http/openapi/webhook.ts";

/** How the API document describes what the action `webhook` posts (docs/decisions.md "Automations"). */

const message = Type.Object(
  {
    type: Type.Literal("automation.webhook", { description: "What kind of message it is." }),
    timestamp: timestamp("When the step was reached."),
    data: Type.Object(
      {
        automationId: Type.String({
          description: "Whose flow it is.",
          examples: ["aut_01kafe6w3p8m2t9qxj5r7vn4bc"],
        }),
        enrollmentId: Type.String({
          description: "Whose run it is.",
          examples: ["enr_01kafe9d2c7v4h8mwn6t3xq5rk"],
        }),
        nodeId: Type.String({ description: "The node with the action.", examples: ["tell-shop"] }),
        contact: contactSchema,
        event: nullable(eventSchema),
      },
      {
        ...exact,
        $id: "AutomationWebhookData",
        description: "Who is on the way, and the event that started the run, if one did.",
      },
    ),
  },
  { ...exact, $id: "AutomationWebhook", description: "A contact reached a node with the action `webhook`." },
);

export const automationWebhook: WebhookOperation = {
  operationId: "receiveAutomationWebhook",
  tag: "receivers",
  summary: "A contact reached a webhook step",
  description:
    "Posted to the `url` of the action. Check the signature before you believe it, and drop a `webhook-id` you have seen: a message can come twice.",
  headers: messageHeaders,
  body: message,
  answers: {
    "2XX": "Taken. The contact goes on to the next node.",
    410: "Nobody listens here any more: the enrollment FAILS at once.",
    default:
      "Anything else, a redirect, or no answer within 10 seconds: tried again after 1, 5, 15 and 60 minutes, 3 hours and then every 8 hours, for three days. `Retry-After` is honoured on 429 and 503. Then the enrollment FAILS.",
  },
};
