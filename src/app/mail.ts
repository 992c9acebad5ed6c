/** Where mail goes: to the service's relays, or to a server of our own. */
import { unwrap } from "#core/errors/errors.ts";
import type { Clock } from "#core/time/clock.ts";
import { startCaptureServer } from "#mail/capture/capture-server.ts";
import { openCapturedMail } from "#mail/capture/captured-mail.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";

/** Where mail goes. `captured`: to a server of our own that keeps it. */
export type Mail = Awaited<ReturnType<typeof openMail>>;

/**
 * The service's relays. If there are none, a capture server beside the database
 * (docs/decisions.md "Running it").
 */
export async function openMail(dataDir: string, relays: readonly RelayAddress[] | null, clock: Clock) {
  if (relays !== null)
    return { kind: "smtp" as const, relays, captured: null, close: () => Promise.resolve() };
  const captured = await openCapturedMail(`${dataDir}/captured`, clock);
  const server = await startCaptureServer(captured);
  return {
    kind: "captured" as const,
    relays: unwrap(parseRelayUrls(server.url)),
    captured,
    close: server.close,
  };
}
