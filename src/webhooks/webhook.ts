import type { Instant } from "#core/time/clock.ts";

/**
 * ENABLED: events are stored and sent. HELD: in a copy of a database, events are stored but wait until a person
 * enables the webhook. DISABLED: no events are stored, and what is owed waits. DELETED: gone for everybody; its
 * rows are being removed.
 */
export const WEBHOOK_STATES = ["ENABLED", "HELD", "DISABLED", "DELETED"] as const;

/** The address of another program that gets the events of a workspace. */
export type Webhook = {
  readonly id: string;
  readonly url: string;
  /** Types, or `*` for all. */
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly createdAt: Instant;
  /** Why it is not enabled, if no person disabled it. */
  readonly disabledReason: string | null;
};

/** A webhook that the service disabled, or that fails now. */
export type TroubledWebhook = Pick<Webhook, "id" | "url" | "disabledReason"> & {
  /** When the first of the failures happened that have had no success since. */
  readonly failingSince: Instant | null;
};

/** What a webhook consists of when it is created or changed. */
export type WebhookContent = Pick<Webhook, "url" | "events" | "enabled">;
export type WebhookChange = Partial<WebhookContent>;

export const HELD_REASON =
  "This database is a restored backup or a copy. What the original sent since then would be sent again: enable the webhook when that is right.";
