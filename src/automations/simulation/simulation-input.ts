import type { Instant } from "#core/time/clock.ts";
import { parseDateTime } from "#core/time/date-time.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { checkJsonValue, isJsonObject, type JsonObject } from "#core/request/json-value.ts";
import { normalizeEventName } from "#events/event-name.ts";
import type { SimulationBody } from "./schema.ts";
import { DAYS_DEFAULT, DAYS_MAX } from "./simulate.ts";

export type SimulationRequest = {
  /** In its stored form. An address without a contact stands for a new SUBSCRIBED contact. */
  readonly email: string;
  /** Normalized; null means the trigger that the flow itself waits for. */
  readonly eventName: string | null;
  readonly properties: JsonObject;
  readonly days: number;
  /** When the contact enters. Null: now. */
  readonly startAt: Instant | null;
  /** Whether the contact opens every mail at once, or none. */
  readonly opens: boolean;
};

/** Reads the body of POST /automations/{id}/simulate. `null` for an optional member means "not sent". */
export function parseSimulation(body: SimulationBody): Result<SimulationRequest> {
  const email = parseEmailAddress(typeof body.email === "string" ? body.email : "");
  if (!email.ok) return email;
  const eventName = parseEvent(body.eventName ?? null);
  if (!eventName.ok) return eventName;
  const properties = checkJsonValue(body.properties ?? {}, "properties");
  if (!properties.ok) return properties;
  if (!isJsonObject(properties.value)) return invalid("`properties` must be an object.");
  const days = parseDays(body.days ?? DAYS_DEFAULT);
  if (!days.ok) return days;
  const startAt = parseStart(body.startAt ?? null);
  if (!startAt.ok) return startAt;
  const opens: unknown = body.opens ?? false;
  if (typeof opens !== "boolean") return invalid("`opens` must be true or false.");
  return accept({
    email: email.value,
    eventName: eventName.value,
    properties: properties.value,
    days: days.value,
    startAt: startAt.value,
    opens,
  });
}

function parseEvent(value: unknown): Result<string | null> {
  if (value === null) return accept(null);
  const name = typeof value === "string" ? normalizeEventName(value) : "";
  return name === ""
    ? invalid("`eventName` must be the name of an event, like `order_placed`.")
    : accept(name);
}

function parseDays(value: unknown): Result<number> {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= DAYS_MAX
    ? accept(value)
    : invalid(`\`days\` must be a whole number from 1 to ${DAYS_MAX}.`);
}

/** Nobody enters before it. After the second, a wait would end in a year of five digits, which no ISO 8601 reader takes. */
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9900, 0, 1);

function parseStart(value: unknown): Result<Instant | null> {
  if (value === null) return accept(null);
  const at = typeof value === "string" ? parseDateTime(value) : null;
  return at === null || at < EARLIEST || at >= LATEST
    ? invalid(
        "`startAt` must be an ISO 8601 date and time of the years 1970 to 9899, such as 2026-12-01T09:00:00Z.",
      )
    : accept(at);
}
