import { AppError, unwrap } from "#core/errors/errors.ts";
import { withTexts } from "#core/request/json-texts.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { checkJsonWeight } from "./json-weight.ts";
import { withDigits } from "./long-digits.ts";
import { isMultipart, isUrlEncoded } from "./media-type.ts";
import type { RequestBody } from "./request-body.ts";

export type JsonObject = Record<string, unknown>;

/**
 * Reads a body as JSON, whatever its Content-Type. An unreadable body, or valid JSON that is not an object,
 * gives an empty object (docs/decisions.md "HTTP").
 * @throws AppError VALIDATION_ERROR if it would take too long to read (`json-weight.ts`), is JSON in other
 * letters than UTF-8, or a form; and as `RequestBody.text`
 */
export async function readLenientJson(body: RequestBody): Promise<JsonObject> {
  const value = await readJson(body, "VALIDATION_ERROR");
  return isObject(value) ? value : {};
}

/**
 * Reads a body as JSON, for routes that distinguish an unreadable body from an incomplete one
 * (docs/contract.md "Errors").
 * @param digitsOf see `Route`
 * @throws AppError INVALID_JSON if it is not valid JSON, not UTF-8, or empty; VALIDATION_ERROR if it is not an object or
 * would take too long to read (`json-weight.ts`); and as `RequestBody.text`
 */
export async function readStrictJson(body: RequestBody, digitsOf: string | undefined): Promise<JsonObject> {
  const value = await readJson(body, "INVALID_JSON", digitsOf);
  if (value === undefined) throw invalidJson();
  if (isObject(value)) return value;
  throw new AppError("VALIDATION_ERROR", "The body must be a JSON object.");
}

export const invalidJson = (): AppError =>
  new AppError("INVALID_JSON", "The body is not valid JSON. Send one JSON object.");

/** For bodies from this size on, other work runs between reading the body and checking it. */
const LONG_CHARACTERS = 256 * 1024;

async function readJson(body: RequestBody, damaged: DamagedCode, digitsOf?: string): Promise<unknown> {
  const { text, isUtf8 } = await body.text();
  const value = await readInTurns(text);
  if (value !== undefined && !isUtf8) throw notUtf8(damaged);
  if (value === undefined && isForm(body.mediaType, text)) throw ofForm(damaged);
  return withDigits(value, text, digitsOf);
}

const FIELD = /^[\w.\-+%[\]]{1,200}=/;

/** Whether fields stand in a body as HTML forms and `curl -d name=value` send them. Under that type `curl -d` sends JSON too. */
function isForm(mediaType: string, text: string): boolean {
  return isUrlEncoded(mediaType) ? FIELD.test(text) : isMultipart(mediaType) && text.startsWith("--");
}

/** It does not count as `{}`: an opt-out in it, or who is to get no mail, would be lost without a word. */
const ofForm = (code: DamagedCode): AppError =>
  new AppError(code, 'The body is a form. Send its fields as one JSON object, such as {"name":"Ada"}.');

/** What a body is refused with that is JSON, but not UTF-8. */
export type DamagedCode = "VALIDATION_ERROR" | "INVALID_JSON";

/** It does not count as `{}`, nor is it taken as it was read: without its letters it would damage what is stored. */
export const notUtf8 = (code: DamagedCode): AppError =>
  new AppError(code, "The body is JSON, but not in UTF-8. Send it in UTF-8.");

/** Undefined: not valid JSON. @throws AppError VALIDATION_ERROR if it would take too long to read */
export async function readInTurns(text: string): Promise<unknown> {
  if (text.length > LONG_CHARACTERS) await nextLoopTurn();
  const value = parseJson(unwrap(checkJsonWeight(text)));
  if (text.length > LONG_CHARACTERS) await nextLoopTurn();
  return value;
}

/** An escape that is, or may be, half of a surrogate pair. */
const HALF = /\\u[dD][89a-fA-F]/;

/**
 * Half of a surrogate pair becomes U+FFFD, like bytes that are no UTF-8. Escapes can write one, but in an answer many
 * readers of JSON refuse it: then one text of one caller would keep them from a whole page.
 * @returns undefined: not valid JSON
 */
export function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(text) as JsonValue;
    return HALF.test(text) ? withTexts(value, wellFormed, wellFormed) : value;
  } catch {
    return undefined;
  }
}

const wellFormed = (text: string): string => text.toWellFormed();

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
