import { Type } from "@sinclair/typebox";
import { AppError, unwrap } from "#core/errors/errors.ts";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, ok, route, type Reply, type Route } from "#http/routes/route.ts";
import { DELIVERY_STATES, isDeliveryState, type DeliveryState } from "./delivery.ts";
import { FOREIGN_DELIVERY_FILTERS, FOREIGN_WEBHOOK_FIELDS } from "./foreign-names.ts";
import {
  deliveryQuery,
  deliverySchema,
  deliveryWire,
  newWebhookBody,
  newWebhookSchema,
  webhookChangeBody,
  webhookSchema,
  webhookWire,
} from "./schema.ts";
import type { WebhookService } from "./service.ts";
import { parseNewWebhook, parseWebhookChange } from "./webhook-input.ts";

/** Webhooks (docs/contract.md "Webhooks"). */
export const webhookRoutes = (webhooks: WebhookService): Route[] => [
  ...reading(webhooks),
  ...writing(webhooks),
  ...secrets(webhooks),
  ...deliveries(webhooks),
];

const accepted = (data: unknown): Reply => ({ status: 202, body: { data } });
const NOT_ENABLED = "The webhook is not enabled.";

const reading = (webhooks: WebhookService): Route[] => [
  route({
    method: "GET",
    path: "/webhooks",
    summary: "List webhooks",
    description: "Newest first. Their secrets are not shown.",
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(webhookSchema) },
    handle: async (call) => call.page(await webhooks.page(call.workspaceId, call.pageRequest()), webhookWire),
  }),
  route({
    method: "GET",
    path: "/webhooks/:id",
    summary: "Read a webhook",
    description: "Without its secret.",
    answers: { 200: dataOf(webhookSchema) },
    handle: async (call) => ok(webhookWire(await webhooks.find(call.workspaceId, call.params.id))),
  }),
];

const writing = (webhooks: WebhookService): Route[] => [
  route({
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook",
    description:
      "From now on it receives events. The answer is the only place where its secret is shown. " +
      "A workspace has at most 50.",
    body: newWebhookBody,
    foreign: { body: FOREIGN_WEBHOOK_FIELDS },
    answers: { 201: dataOf(newWebhookSchema) },
    handle: async (call) => {
      const allowPrivate = await webhooks.allowsPrivate(call.workspaceId);
      const content = unwrap(parseNewWebhook(call.body(), allowPrivate));
      const { webhook, secret } = await webhooks.create(call.workspaceId, content);
      return created({ ...webhookWire(webhook), secret });
    },
  }),
  route({
    method: "PATCH",
    path: "/webhooks/:id",
    summary: "Change a webhook",
    description:
      "While it is not enabled, nothing goes out and nothing is written for it; what is owed already waits. " +
      "Events that it no longer asks for still go out if they are owed.",
    body: webhookChangeBody,
    foreign: { body: FOREIGN_WEBHOOK_FIELDS },
    answers: { 200: dataOf(webhookSchema) },
    handle: async (call) => {
      const { workspaceId, params } = call;
      await webhooks.find(workspaceId, params.id);
      const change = unwrap(parseWebhookChange(call.body(), await webhooks.allowsPrivate(workspaceId)));
      return ok(webhookWire(await webhooks.change(workspaceId, params.id, change)));
    },
  }),
  route({
    method: "DELETE",
    path: "/webhooks/:id",
    summary: "Delete a webhook",
    description: "With its deliveries. What is owed is not sent any more.",
    answers: { 204: null },
    handle: async (call) => {
      await webhooks.delete(call.workspaceId, call.params.id);
      return noContent();
    },
  }),
];

const secrets = (webhooks: WebhookService): Route[] => [
  route({
    method: "POST",
    path: "/webhooks/:id/rotate",
    operationId: "rotateWebhookSecret",
    summary: "Make a new secret",
    description:
      "For 24 hours messages carry two signatures, one of each secret: check them with either, and change it meanwhile. " +
      "Rotated again in that time, they carry one more: each secret signs for 24 hours after it was replaced (the last eight).",
    answers: { 200: dataOf(newWebhookSchema) },
    handle: async (call) => {
      const { webhook, secret } = await webhooks.rotate(call.workspaceId, call.params.id);
      return ok({ ...webhookWire(webhook), secret });
    },
  }),
  route({
    method: "POST",
    path: "/webhooks/:id/test",
    operationId: "testWebhook",
    summary: "Send a test",
    description:
      "A message of the type `webhook.test` goes out, whatever `events` says. How it went is in the deliveries.",
    answers: { 202: dataOf(deliverySchema) },
    errors: { WRONG_STATE: NOT_ENABLED },
    handle: async (call) => accepted(deliveryWire(await webhooks.test(call.workspaceId, call.params.id))),
  }),
];

const deliveries = (webhooks: WebhookService): Route[] => [
  route({
    method: "GET",
    path: "/webhooks/:id/deliveries",
    summary: "The deliveries of a webhook",
    description: "Newest first, with every attempt. Kept for 14 days.",
    query: deliveryQuery,
    foreign: { query: FOREIGN_DELIVERY_FILTERS },
    answers: { 200: pageOf(deliverySchema) },
    handle: async (call) => {
      const { workspaceId, params } = call;
      await webhooks.find(workspaceId, params.id);
      const state = stateOf(call.query.state);
      const page = await webhooks.deliveries(workspaceId, params.id, state, call.pageRequest());
      return call.page(page, deliveryWire);
    },
  }),
  route({
    method: "POST",
    path: "/webhooks/:id/deliveries/:deliveryId/replay",
    operationId: "replayWebhookDelivery",
    summary: "Deliver again",
    description: "The same message under the same `webhook-id`, and tried for another three days.",
    answers: { 202: dataOf(deliverySchema) },
    errors: { WRONG_STATE: NOT_ENABLED },
    handle: async (call) => {
      const { id, deliveryId } = call.params;
      await webhooks.find(call.workspaceId, id);
      return accepted(deliveryWire(await webhooks.replay(call.workspaceId, id, deliveryId)));
    },
  }),
];

function stateOf(text: string | undefined): DeliveryState | null {
  if (text === undefined || text === "") return null;
  if (isDeliveryState(text)) return text;
  throw new AppError("VALIDATION_ERROR", `\`state\` must be one of: ${DELIVERY_STATES.join(", ")}.`);
}
