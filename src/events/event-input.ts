import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { storableObject } from "#core/request/json-texts.ts";
import { checkJsonValue, isJsonObject, type JsonObject } from "#core/request/json-value.ts";
import { storableText } from "#core/text/stored-text.ts";
import { normalizeEventName } from "./event-name.ts";
import { parseMoney, type Money } from "./money.ts";
import type { NewEventBody } from "./schema.ts";

const PROPERTY_KEYS_MAX = 50;
const PROPERTY_BYTES_MAX = 8 * 1024;
const EXTERNAL_ID_CHARACTERS_MAX = 200;

/**
 * The contact of an event. An id must be looked up (`404`). An address is in its stored form and may be new.
 */
type EventSubject =
  | { readonly kind: "id"; readonly contactId: string }
  | { readonly kind: "email"; readonly email: string };

/**
 * What POST /events asks for. A duplicate `externalId` is answered before the subject is looked up
 * (docs/decisions.md "Events").
 */
export type NewEvent = Money & {
  readonly name: string;
  readonly subject: EventSubject;
  readonly properties: JsonObject;
  readonly externalId: string | null;
};

/** Reads the body of POST /events. `null` for an optional member means "not sent". */
export function parseEvent(body: NewEventBody): Result<NewEvent> {
  const name = parseName(body.name);
  if (!name.ok) return name;
  const subject = parseSubject(body.contactId ?? "", body.email ?? "");
  if (!subject.ok) return subject;
  const properties = parseProperties(body.properties ?? {});
  if (!properties.ok) return properties;
  const money = parseMoney(body);
  if (!money.ok) return money;
  const externalId = parseExternalId(body.externalId ?? "");
  if (!externalId.ok) return externalId;
  return accept({
    name: name.value,
    subject: subject.value,
    properties: properties.value,
    externalId: externalId.value,
    ...money.value,
  });
}

function parseName(value: unknown): Result<string> {
  if (typeof value !== "string")
    return invalid("`name` is required and must be a string like `order_placed`.");
  const name = normalizeEventName(value);
  return name === ""
    ? invalid("`name` needs at least one letter or digit, like `order_placed`.")
    : accept(name);
}

/** If there is a `contactId`, the address is ignored. An empty id counts as missing. */
function parseSubject(contactId: unknown, email: unknown): Result<EventSubject> {
  if (typeof contactId !== "string") return invalid("`contactId` must be the id of a contact.");
  if (contactId !== "") return accept({ kind: "id", contactId });
  if (typeof email !== "string") return invalid("`email` must be a string like ada@example.com.");
  if (email.trim() === "") return invalid("Send `email` or `contactId`: one of them is required.");
  const address = parseEmailAddress(email);
  return address.ok ? accept({ kind: "email", email: address.value }) : address;
}

/** At most 50 keys at the top, and 8 KB of UTF-8 as it will be stored: without NUL, as all other text (`storableText`). */
function parseProperties(value: unknown): Result<JsonObject> {
  if (!isJsonObject(value)) return invalid("`properties` must be an object.");
  const keys = Object.keys(value).length;
  if (keys > PROPERTY_KEYS_MAX)
    return invalid(`\`properties\` has ${keys} keys; at most ${PROPERTY_KEYS_MAX} are allowed.`);
  const checked = checkJsonValue(value, "properties");
  if (!checked.ok) return checked;
  const stored = storableObject(value);
  const bytes = Buffer.byteLength(stored.json);
  if (bytes > PROPERTY_BYTES_MAX)
    return invalid(`\`properties\` has ${bytes} bytes of JSON; at most ${PROPERTY_BYTES_MAX} are allowed.`);
  return accept(stored.object);
}

/**
 * Reads an external id. A number becomes its digits (its routes keep those of long ones: `digitsOf`). Cut to 200
 * characters. Ids are compared exactly, so white space counts. Empty means none.
 */
function parseExternalId(value: unknown): Result<string | null> {
  if (value === "") return accept(null);
  if (typeof value === "number" && Number.isFinite(value)) return parseExternalId(digitsOf(value));
  if (typeof value !== "string") return invalid("`externalId` must be a string.");
  const id = storableText(value);
  return accept(
    Array.from(id.slice(0, 2 * EXTERNAL_ID_CHARACTERS_MAX))
      .slice(0, EXTERNAL_ID_CHARACTERS_MAX)
      .join("") || null,
  );
}

const digitsOf = (value: number): string =>
  Number.isInteger(value) ? BigInt(value).toString() : String(value);
