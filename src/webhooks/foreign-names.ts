/**
 * Names that other services use for the fields of webhooks, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const URL_FIELD = "it is called `url`";
const EVENTS = 'it is called `events`: a list of types, or ["*"]';
const SECRET = "the secret is made for you: `POST /webhooks/{id}/rotate` makes a new one";

export const FOREIGN_WEBHOOK_FIELDS = {
  endpoint: URL_FIELD,
  endpointUrl: URL_FIELD,
  target: URL_FIELD,
  targetUrl: URL_FIELD,
  callbackUrl: URL_FIELD,
  event: EVENTS,
  eventTypes: EVENTS,
  types: EVENTS,
  topics: EVENTS,
  triggers: EVENTS,
  filterTypes: EVENTS,
  secret: SECRET,
  signingSecret: SECRET,
  active: "it is called `enabled`",
  disabled: "it is called `enabled`, the other way round",
} as const;

export const FOREIGN_DELIVERY_FILTERS = {
  status: "it is called `state`",
  type: "deliveries have the filter `state` only",
  event: "deliveries have the filter `state` only",
} as const;
