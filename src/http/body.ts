import { AppError } from "#core/errors.ts";

/** Larger bodies answer 413 before they are buffered (decisions, section 1). */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

export type JsonObject = Record<string, unknown>;

/**
 * Reads a body as JSON whatever its Content-Type says. Unreadable, or valid JSON that is no object: an empty object
 * (decisions, section 1).
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export async function readLenientJson(request: Request): Promise<JsonObject> {
  const value = parseJson(await readText(request));
  return isObject(value) ? value : {};
}

/**
 * Reads a body as JSON, for the routes that tell an unreadable one from an incomplete one (contract, "Errors").
 * @throws AppError INVALID_JSON for one that is not valid JSON, an empty one too; VALIDATION_ERROR for JSON that is no
 * object; PAYLOAD_TOO_LARGE
 */
export async function readStrictJson(request: Request): Promise<JsonObject> {
  const value = parseJson(await readText(request));
  if (value === undefined)
    throw new AppError("INVALID_JSON", "The body is not valid JSON. Send one JSON object.");
  if (isObject(value)) return value;
  throw new AppError("VALIDATION_ERROR", "The body must be a JSON object.");
}

/** @throws AppError PAYLOAD_TOO_LARGE */
function readText(request: Request): Promise<string> {
  return isLengthKnown(request, BODY_BYTES_MAX) ? request.text() : readLongText(request);
}

async function readLongText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, BODY_BYTES_MAX));
}

/**
 * Whether the body says how long it is, and HTTP then holds it to that: such a one is read whole, which costs a tenth of reading it
 * piece by piece. @throws AppError PAYLOAD_TOO_LARGE
 */
function isLengthKnown({ headers }: Request, bytesMax: number): boolean {
  const length = headers.get("content-length");
  if (length !== null && Number(length) > bytesMax) throw tooLarge(bytesMax);
  return length !== null && !headers.has("transfer-encoding");
}

/** Stops reading as soon as there is more. @throws AppError PAYLOAD_TOO_LARGE */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (isLengthKnown(request, bytesMax)) return new Uint8Array(await request.arrayBuffer());
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

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

function tooLarge(bytesMax: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${bytesMax} bytes: send less at once.`);
}
