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

/** @throws AppError PAYLOAD_TOO_LARGE */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tooLarge(): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body is larger than ${BODY_BYTES_MAX} bytes: send less at once.`);
}
