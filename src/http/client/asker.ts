import type { PublicCall } from "#http/routes/public-route.ts";

/** Enough to distinguish browsers and mail programs. */
const USER_AGENT_MAX = 500;

/** Who asks for a public page, for the consent log. */
export function asker({ request, clientAddress }: Pick<PublicCall, "request" | "clientAddress">) {
  return { clientAddress, userAgent: request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX) ?? null };
}
