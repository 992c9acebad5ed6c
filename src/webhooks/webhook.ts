import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";

/**
 * ENABLED: events are written for it and go out. HELD: in a copy of a database they are written, but wait
 * until a person enables it. DISABLED: nothing is written, and what is owed waits. DELETED: gone for
 * everybody; its rows are being removed.
 */
export const WEBHOOK_STATES = ["ENABLED", "HELD", "DISABLED", "DELETED"] as const;

/** An address of another program that is told what happens in a workspace. */
export type Webhook = {
  readonly id: string;
  readonly url: string;
  /** Types, or `*` for all. */
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly createdAt: Instant;
  /** Why it is not enabled, if that was not a person's wish. */
  readonly disabledReason: string | null;
};

/** One that the service disabled, or that fails now. */
export type TroubledWebhook = Pick<Webhook, "id" | "url" | "disabledReason"> & {
  /** When the first of the attempts failed that have not succeeded since. */
  readonly failingSince: Instant | null;
};

/** What a webhook is made of, or changed to. */
export type WebhookContent = Pick<Webhook, "url" | "events">;
export type WebhookChange = Partial<WebhookContent & Pick<Webhook, "enabled">>;

/** After a new secret was made, the one before signs too for this long. */
export const OLD_SECRET_SIGNS_MS = DAY_MS;

export const HELD_REASON =
  "This database is a restored backup or a copy. What the original sent since then would be sent again: enable the webhook when that is right.";
