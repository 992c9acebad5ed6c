import { accept, invalid, type Result } from "./errors.ts";

/** What `JSON.parse` gives. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

/** Keys that would reach an object's prototype if anybody ever copied the object carelessly. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const DEPTH_MAX = 32;

/** Whether `value` is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Free-form JSON from a request that may be stored and given back: nested at most 32 deep (`value` itself counts), no key
 * `__proto__`, `constructor` or `prototype` at any depth, no number beyond the finite ones (`1e400`). `path` names `value` in
 * messages, as in ``flowJson.nodes[2].data``.
 */
export function checkJsonValue(value: unknown, path: string, depth = 1): Result<JsonValue> {
  if (typeof value === "number" && !Number.isFinite(value))
    return invalid(`\`${path}\` is too large a number.`);
  if (typeof value !== "object" || value === null) return accept(value as JsonValue);
  if (depth > DEPTH_MAX)
    return invalid(`\`${path}\` lies more than ${DEPTH_MAX} levels deep. Make it flatter.`);
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if (!isList && FORBIDDEN_KEYS.has(key))
      return invalid(`\`${path}\` has a key \`${key}\`, which is not allowed. Rename it.`);
    const checked = checkJsonValue(member, isList ? `${path}[${key}]` : `${path}.${key}`, depth + 1);
    if (!checked.ok) return checked;
  }
  return accept(value as JsonValue);
}
