/** The events that a webhook can ask for, in the order in which they are documented. */
export const EVENT_TYPES = [
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
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** The type of a test, which is sent to the webhook whatever events it asked for. */
export const TEST_TYPE = "webhook.test";

/** In place of a type: all types, including those of later versions. */
export const EVERY_TYPE = "*";

/** Whether a webhook that asks for `events` gets `type`. */
export const asksFor = (events: readonly string[], type: EventType): boolean =>
  events.includes(EVERY_TYPE) || events.includes(type);
