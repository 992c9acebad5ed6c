import { accept, invalid, refuse, type Refusal, type Result } from "#core/errors/errors.ts";

/**
 * What a key may do (docs/decisions.md "Keys"): everything; only send mail and record events; only read. Only
 * a full key may create keys, so no key can create one with a wider scope than its own.
 */
export const KEY_SCOPES = ["full", "send", "read"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

const SEND_PATHS = ["/send", "/events", "/events/bulk"];

/**
 * Why a key of this scope may not call a route; null if it may. It depends on the method and the path alone,
 * so it can be checked before the route, its resource and its body.
 * @param path what follows `/api/v1`
 */
export function checkScope(scope: KeyScope, method: string, path: string): Refusal | null {
  if (scope === "full") return null;
  if (scope === "read")
    return method === "GET" || method === "HEAD" ? null : beyond("read", "only GET requests");
  return method === "POST" && SEND_PATHS.includes(path)
    ? null
    : beyond("send", `only POST to ${SEND_PATHS.join(", ")}`);
}

const beyond = (scope: KeyScope, allowed: string): Refusal =>
  refuse("FORBIDDEN", `This API key has the scope \`${scope}\`: it may make ${allowed}. Use another key.`)
    .refusal;

/** The scope of a new key; without one, `full`. */
export function parseScope(text: string | undefined): Result<KeyScope> {
  if (text === undefined) return accept("full");
  const scope = KEY_SCOPES.find((one) => one === text);
  return scope === undefined ? invalid(`\`scope\` must be one of ${KEY_SCOPES.join(", ")}.`) : accept(scope);
}
