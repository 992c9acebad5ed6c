import type { PublicRoute } from "./public-route.ts";

/** What `GET /health` shows. */
export type HealthParts = {
  readonly version: string;
  /** `captured`: mail is shown at /mailbox, not delivered. */
  readonly mail: "smtp" | "captured";
  /** Why the last write failed; null when it did not. */
  writeFault(): Error | null;
  /** Tries to write; resolves when it is durable. */
  probeWrite(): Promise<void>;
  /** Relays that cannot be used right now. */
  relayTrouble(): readonly { readonly relay: string; readonly trouble: string }[];
};

/**
 * `GET /health`, without a key: 200, or 503 while the database cannot be written. A fault is tried again at every call, so that the
 * service is well again as soon as somebody looks. Relay trouble is shown but is no 503: mail waits, and everything else works.
 */
export function healthRoute(parts: HealthParts): PublicRoute {
  const { version, mail } = parts;
  return {
    method: "GET",
    path: "/health",
    async handle() {
      const writable = parts.writeFault() === null || (await canWrite(parts));
      const status = writable ? "ok" : "database cannot be written";
      return Response.json(
        { status, version, mail, relays: parts.relayTrouble() },
        { status: writable ? 200 : 503, headers: { "Cache-Control": "no-store" } },
      );
    },
  };
}

async function canWrite(parts: HealthParts): Promise<boolean> {
  return await parts.probeWrite().then(
    () => true,
    () => false,
  );
}
