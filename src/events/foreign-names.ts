/**
 * Names that other services use for the fields and filters of events, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const NOW = "an event is recorded as of now; put another time into `properties`";
const WHO = "send `email` or `contactId`";

export const FOREIGN_FIELDS = {
  event: "it is called `name`",
  eventName: "it is called `name`",
  eventType: "it is called `name`",
  type: "it is called `name`",
  action: "it is called `name`",
  metric: "it is called `name`",
  userId: WHO,
  user: WHO,
  profile: WHO,
  contact: WHO,
  subscriber: WHO,
  customer: WHO,
  anonymousId: WHO,
  distinctId: WHO,
  identifiers: WHO,
  emailAddress: "it is called `email`",
  timestamp: NOW,
  time: NOW,
  eventTime: NOW,
  eventDate: NOW,
  occurredAt: NOW,
  createdAt: NOW,
  date: NOW,
  data: "it is called `properties`",
  payload: "it is called `properties`",
  metadata: "it is called `properties`",
  attributes: "it is called `properties`",
  eventProperties: "it is called `properties`",
  eventData: "it is called `properties`",
  traits: "change the contact itself with `PATCH /contacts/{id}`",
  contactProperties: "change the contact itself with `PATCH /contacts/{id}`",
  amount: "it is called `value`, or `valueCents` for minor units",
  revenue: "it is called `value`, or `valueCents` for minor units",
  price: "it is called `value`, or `valueCents` for minor units",
  total: "it is called `value`, or `valueCents` for minor units",
  eventId: "it is called `externalId`",
  messageId: "it is called `externalId`",
  uniqueId: "it is called `externalId`",
  uuid: "it is called `externalId`",
  idempotencyKey: "it is called `externalId`",
  insertId: "it is called `externalId`",
  events: "send many to `POST /events/bulk`",
  batch: "send many to `POST /events/bulk`",
} as const;

export const FOREIGN_FILTERS = {
  event: "it is called `name`",
  eventName: "it is called `name`",
  type: "it is called `name`",
  email: "use `contactId`",
  contact: "it is called `contactId`",
  userId: "it is called `contactId`",
  externalId: "events have no filter by it",
} as const;

export const FOREIGN_BULK = {
  batch: "they are called `events`",
  data: "they are called `events`",
  records: "they are called `events`",
  items: "they are called `events`",
  messages: "they are called `events`",
  email: "each of `events` has its own",
  contactId: "each of `events` has its own",
} as const;
