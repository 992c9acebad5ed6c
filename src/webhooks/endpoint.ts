import type { Instant } from "#core/time/clock.ts";
import type { Health } from "#webhooks/calls/health.ts";

/** An enabled webhook with something to do. `number` is its row number. */
export type Endpoint = {
  readonly number: number;
  readonly workspaceId: string;
  readonly url: string;
  /** The first is the current one. */
  readonly secrets: readonly string[];
  readonly health: Health;
  /** Since when its oldest message is due. */
  readonly dueAt: Instant;
};

/** A message that is due. `number` is its row number. */
export type DueDelivery = { readonly number: number; readonly id: string; readonly body: string };
