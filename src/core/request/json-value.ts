import { accept, invalid, type Result } from "#core/errors/errors.ts";

/** The values that `JSON.parse` returns. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * The key that would change an object's prototype if some code copied the object member by member. `constructor`
 * and `prototype` are members like any other: a racing shop has constructors, and its events would be lost.
 */
const FORBIDDEN_KEY = "__proto__";
const DEPTH_MAX = 32;

/** Whether `value` is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks free-form JSON of a request that will be stored and given back: nested at most 32 deep (`value`
 * itself counts), no key `__proto__` at any depth, only finite numbers (not `1e400`). `path` names `value` in
 * messages, as in ``flowJson.nodes[2].data``.
 */
export function checkJsonValue(value: unknown, path: string): Result<JsonValue> {
  const problem = findProblem(value, 1);
  return problem === null
    ? accept(value as JsonValue)
    : invalid(`\`${path}${problem.path}\` ${problem.says}`);
}

/**
 * What is wrong below a value, and where. The path is only built when a problem was found: most values have
 * none.
 */
type Problem = { readonly path: string; readonly says: string };

function findProblem(value: unknown, depth: number): Problem | null {
  if (typeof value === "number" && !Number.isFinite(value))
    return { path: "", says: "is too large a number." };
  if (typeof value !== "object" || value === null) return null;
  if (depth > DEPTH_MAX)
    return { path: "", says: `lies more than ${DEPTH_MAX} levels deep. Make it flatter.` };
  return Array.isArray(value) ? findInArray(value, depth) : findInObject(value, depth);
}

function findInArray(entries: readonly unknown[], depth: number): Problem | null {
  for (let index = 0; index < entries.length; index++) {
    const problem = findProblem(entries[index], depth + 1);
    if (problem !== null) return { ...problem, path: `[${index}]${problem.path}` };
  }
  return null;
}

function findInObject(object: object, depth: number): Problem | null {
  for (const key of Object.keys(object)) {
    if (key === FORBIDDEN_KEY)
      return { path: "", says: `has a key \`${key}\`, which is not allowed. Rename it.` };
    const problem = findProblem((object as Record<string, unknown>)[key], depth + 1);
    if (problem !== null) return { ...problem, path: `.${key}${problem.path}` };
  }
  return null;
}
