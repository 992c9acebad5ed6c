/** Where mail goes: to the service's relays, or to a server of our own. */
import { unwrap } from "#core/errors/errors.ts";
import { startCaptureServer } from "#mail/capture/capture-server.ts";
import { openCapturedMail } from "#mail/capture/captured-mail.ts";
import { tellingTrouble } from "#mail/capture/capture-trouble.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { World } from "./world.ts";

/** Where mail goes. `captured`: to a server of our own that keeps it. */
export type Mail = Awaited<ReturnType<typeof openMail>>;

/**
 * The service's relays. If there are none, a capture server beside the database
 * (docs/decisions.md "Running it").
 */
export async function openMail(
  dataDir: string,
  relays: readonly RelayAddress[] | null,
  { clock, log }: Pick<World, "clock" | "log">,
) {
  if (relays !== null)
    return { kind: "smtp" as const, relays, captured: null, close: () => Promise.resolve() };
  const captured = await openCapturedMail(`${dataDir}/captured`, clock);
  const server = await startCaptureServer(tellingTrouble(captured, log));
  return {
    kind: "captured" as const,
    relays: unwrap(parseRelayUrls(server.url)),
    captured,
    close: server.close,
  };
}
