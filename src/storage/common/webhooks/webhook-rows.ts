/** Webhooks and their deliveries as both databases read them. */
import { messageBody, type Attempt, type Delivery, type DeliveryState } from "#webhooks/delivery.ts";
import type { DueDelivery, Endpoint } from "#webhooks/endpoint.ts";
import type { Health } from "#webhooks/calls/health.ts";
import type { Webhook, WEBHOOK_STATES, WebhookChange } from "#webhooks/webhook.ts";
import { stillSigning } from "#webhooks/old-secrets.ts";
import { oldSecretsOf, type OldSecretColumns } from "./old-secrets.ts";
import { deliveryId } from "./webhook-delivery-id.ts";

/** `events` is JSON. */
export type WebhookRow = OldSecretColumns & {
  readonly seq: number;
  readonly id: string;
  readonly url: string;
  readonly events: string;
  readonly state: (typeof WEBHOOK_STATES)[number];
  readonly disabledReason: string | null;
  readonly secret: string;
  readonly createdAt: number;
};

export const webhookOf = ({ id, url, events, state, createdAt, disabledReason }: WebhookRow): Webhook => ({
  id,
  url,
  events: JSON.parse(events) as string[],
  enabled: state === "ENABLED",
  createdAt,
  disabledReason,
});

/** What a person made of it. */
export const stateOf = (enabled: boolean): WebhookRow["state"] => (enabled ? "ENABLED" : "DISABLED");

/** Which columns of a webhook's row change. `recovers`: it is well again, and called at once. Null: nothing changes. */
export function changedWebhook(
  row: WebhookRow,
  { url = row.url, events, enabled }: WebhookChange,
): (Pick<WebhookRow, "url" | "events" | "state" | "disabledReason"> & { readonly recovers: boolean }) | null {
  const asked = events === undefined ? row.events : JSON.stringify(events);
  if (url === row.url && asked === row.events && enabled === undefined) return null;
  return {
    url,
    events: asked,
    state: enabled === undefined ? row.state : stateOf(enabled),
    disabledReason: enabled === undefined ? row.disabledReason : null,
    recovers: url !== row.url || enabled !== undefined,
  };
}

/** `attempts` is JSON. */
export type DeliveryRow = {
  readonly seq: number;
  readonly nonce: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: string;
  readonly nextAttemptAt: number | null;
  readonly createdAt: number;
};

export const deliveryOf = ({ seq, nonce, attempts, type, state, ...times }: DeliveryRow): Delivery => ({
  id: deliveryId(seq, nonce),
  type,
  state,
  attempts: JSON.parse(attempts) as Attempt[],
  nextAttemptAt: times.nextAttemptAt,
  createdAt: times.createdAt,
});

/** A message that is due; `data` is JSON. */
export type DueRow = Pick<DeliveryRow, "seq" | "nonce" | "type" | "createdAt"> & { readonly data: string };

export const dueDelivery = ({ seq, nonce, type, data, createdAt }: DueRow): DueDelivery => ({
  number: seq,
  id: deliveryId(seq, nonce),
  body: messageBody(type, createdAt, data),
});

/** A webhook that has messages due. */
export type EndpointRow = Omit<Endpoint, "secrets" | "health"> &
  Health &
  OldSecretColumns & {
    readonly secret: string;
  };

export function endpointOf(row: EndpointRow, now: number): Endpoint {
  const { number, workspaceId, url, secret, dueAt } = row;
  const { failures, failingSince, resumeAt } = row;
  return {
    number,
    workspaceId,
    url,
    secrets: [secret, ...stillSigning(oldSecretsOf(row), now).map((old) => old.secret)],
    health: { failures, failingSince, resumeAt },
    dueAt,
  };
}
