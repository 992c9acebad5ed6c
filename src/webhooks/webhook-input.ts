import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isSent } from "#core/request/sent.ts";
import { EVENT_TYPES, EVERY_TYPE } from "./event-type.ts";
import { isForbiddenHost, parseWebhookUrl } from "#webhooks/calls/target.ts";
import type { WebhookChange, WebhookContent } from "./webhook.ts";

type Body = { readonly url?: unknown; readonly events?: unknown; readonly enabled?: unknown };

/** POST /webhooks: enabled unless the body says otherwise. `allowPrivate`: whether the workspace may call its own network. */
export function parseNewWebhook(body: Body, allowPrivate: boolean): Result<WebhookContent> {
  const url = readUrl(body.url, allowPrivate);
  if (!url.ok) return url;
  const events = readEvents(body.events);
  if (!events.ok) return events;
  const enabled = readEnabled(body.enabled);
  return enabled.ok
    ? accept({ url: url.value, events: events.value, enabled: enabled.value ?? true })
    : enabled;
}

/** PATCH /webhooks/{id}: only the members that were sent. */
export function parseWebhookChange(body: Body, allowPrivate: boolean): Result<WebhookChange> {
  const { url, events } = body;
  const readable = {
    url: isSent(url) ? readUrl(url, allowPrivate) : null,
    events: isSent(events) ? readEvents(events) : null,
  };
  if (readable.url?.ok === false) return readable.url;
  if (readable.events?.ok === false) return readable.events;
  const enabled = readEnabled(body.enabled);
  if (!enabled.ok) return enabled;
  return accept({
    ...(readable.url && { url: readable.url.value }),
    ...(readable.events && { events: readable.events.value }),
    ...(enabled.value !== null && { enabled: enabled.value }),
  });
}

/** Null: not sent. */
function readEnabled(value: unknown): Result<boolean | null> {
  if (!isSent(value)) return accept(null);
  return typeof value === "boolean" ? accept(value) : invalid("`enabled` must be true or false.");
}

function readUrl(value: unknown, allowPrivate: boolean): Result<string> {
  if (typeof value !== "string" || value.trim() === "")
    return invalid(
      "`url` is required: the address that events are posted to, like https://example.com/hook.",
    );
  const url = parseWebhookUrl(value);
  if (!url.ok) return url;
  if (!allowPrivate && isForbiddenHost(url.value))
    return invalid(
      `${url.value.host} is not a public address. Whoever runs the service can allow private ones: setting allowPrivateWebhooks.`,
    );
  return accept(url.value.href);
}

const KNOWN: readonly string[] = [EVERY_TYPE, ...EVENT_TYPES];

function readEvents(value: unknown): Result<string[]> {
  if (!Array.isArray(value) || value.length === 0)
    return invalid('`events` is required: a list of types, like ["contact.created"], or ["*"] for all.');
  const events = new Set<string>();
  for (const one of value as unknown[]) {
    if (typeof one !== "string" || !KNOWN.includes(one))
      return invalid(`${JSON.stringify(one).slice(0, 80)} is no event. There are: ${KNOWN.join(", ")}.`);
    events.add(one);
  }
  return accept([...events]);
}
