import { AppError, unwrap } from "#core/errors.ts";
import { checkJsonWeight } from "./json-weight.ts";
import type { RequestBody } from "./request-body.ts";

export type JsonObject = Record<string, unknown>;

/**
 * Reads a body as JSON whatever its Content-Type says. Unreadable, or valid JSON that is no object: an empty object
 * (docs/decisions.md "HTTP").
 * @throws AppError VALIDATION_ERROR for one that takes too long to read (`json-weight.ts`); and as `RequestBody.text`
 */
export async function readLenientJson(body: RequestBody): Promise<JsonObject> {
  const value = await readJson(body);
  return isObject(value) ? value : {};
}

/**
 * Reads a body as JSON, for the routes that tell an unreadable one from an incomplete one (docs/contract.md "Errors").
 * @throws AppError INVALID_JSON for one that is not valid JSON, an empty one too; VALIDATION_ERROR for JSON that is no
 * object, or takes too long to read (`json-weight.ts`); and as `RequestBody.text`
 */
export async function readStrictJson(body: RequestBody): Promise<JsonObject> {
  const value = await readJson(body);
  if (value === undefined)
    throw new AppError("INVALID_JSON", "The body is not valid JSON. Send one JSON object.");
  if (isObject(value)) return value;
  throw new AppError("VALIDATION_ERROR", "The body must be a JSON object.");
}

/** From here on everybody else has a turn between reading a body and looking at it. */
const LONG_CHARACTERS = 256 * 1024;

async function readJson(body: RequestBody): Promise<unknown> {
  const text = await body.text();
  if (text.length > LONG_CHARACTERS) await turn();
  const value = parseJson(unwrap(checkJsonWeight(text)));
  if (text.length > LONG_CHARACTERS) await turn();
  return value;
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
