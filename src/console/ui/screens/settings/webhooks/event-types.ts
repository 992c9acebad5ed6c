import type { WebhookEventType } from "../../../api/api.gen.ts";

/** The events that a webhook can receive: those of the server, in its order. A test compares them. */
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
