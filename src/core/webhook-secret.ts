import type { Random } from "./random.ts";

/** What every secret of Standard Webhooks begins with; the base64 of its bytes follows. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";

const BYTES = 24;

export const newWebhookSecret = (random: Random): string =>
  `${WEBHOOK_SECRET_PREFIX}${Buffer.from(random.bytes(BYTES)).toString("base64")}`;
