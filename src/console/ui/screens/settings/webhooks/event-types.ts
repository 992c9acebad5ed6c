import type { WebhookEventType } from "../../../api/api.gen.ts";

/** What a webhook can ask for: those of the server, in its order, which a test compares. */
export const EVENT_TYPES: readonly WebhookEventType[] = [
  "contact.created",
  "contact.updated",
  "contact.subscribed",
  "contact.unsubscribed",
  "contact.deleted",
  "email.sent",
  "email.bounced",
  "email.complained",
  "email.opened",
  "email.clicked",
  "email.failed",
  "campaign.started",
  "campaign.finished",
  "form.submitted",
  "automation.completed",
  "automation.failed",
];
