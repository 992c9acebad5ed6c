import { isoOf } from "#core/time/iso.ts";
import type { TroubledWebhook } from "#webhooks/webhook.ts";
import { about, fail, warn, type Finding } from "#doctor/finding.ts";

/** Webhooks that the service disabled, or that fail now. The others are not reported. */
export const checkWebhooks = (webhooks: readonly TroubledWebhook[]): Finding[] =>
  webhooks.map(({ id, url, disabledReason, failingSince }) => {
    // An address may hold a secret, and an id says nothing to a person.
    const check = about("webhook", `webhook to ${new URL(url).host}`);
    return disabledReason !== null
      ? fail(
          check,
          `disabled, so it is told nothing: ${disabledReason}`,
          `correct the receiver, then PATCH /api/v1/webhooks/${id} with {"enabled":true}`,
        )
      : warn(
          check,
          `it has taken nothing since ${isoOf(failingSince ?? 0)}`,
          `see why: GET /api/v1/webhooks/${id}/deliveries; after three days it is disabled`,
        );
  });
