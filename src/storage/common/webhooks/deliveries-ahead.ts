import type { Instant } from "#core/time/clock.ts";
import { aheadOf } from "#storage/common/engine/made-ahead.ts";
import { KEPT_MS } from "#webhooks/delivery.ts";

/** The deliveries, for `oldBeforeSql`. */
export const DELIVERIES_MADE = { table: "webhook_deliveries", at: "created_at" } as const;

/** Times of deliveries after this cannot be right, when those before `before` are no longer kept. */
export const aheadWhenOld = (before: Instant): Instant => aheadOf(before + KEPT_MS);
