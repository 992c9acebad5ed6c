import type { TroubledWebhook } from "#webhooks/webhook.ts";
import { about, fail, warn, type Finding } from "./finding.ts";

/** Webhooks that the service disabled, or that fail now. The others are not reported. */
export const checkWebhooks = (webhooks: readonly TroubledWebhook[]): Finding[] =>
  webhooks.map(({ id, url, disabledReason, failingSince }) => {
    const check = about("webhook", `webhook ${id}`);
    return disabledReason !== null
      ? fail(
          check,
          `disabled, so ${url} is told nothing: ${disabledReason}`,
          `correct the receiver, then PATCH /api/v1/webhooks/${id} with {"enabled":true}`,
        )
      : warn(
          check,
          `${url} has taken nothing since ${new Date(failingSince ?? 0).toISOString()}`,
          `see why: GET /api/v1/webhooks/${id}/deliveries; after three days it is disabled`,
        );
  });
