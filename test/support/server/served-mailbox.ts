/** The service of a test under other addresses, with its mailbox. */
import { openHttp } from "#app/http.ts";
import { parseTrustedProxies } from "#http/client/client-address.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { systemRandom } from "#core/random.ts";
import type { CapturedMail } from "#mail/capture/captured-mail.ts";
import { SILENT_LOG } from "../common/silent-log.ts";
import type { ReadersApi } from "../people/readers.ts";

const WORLD = {
  clock: systemClock,
  random: systemRandom,
  log: SILENT_LOG,
};

export function mailboxesOf(readers: () => ReadersApi) {
  const servers: { stop(force: boolean): Promise<void> }[] = [];
  return {
    /** Returns where it can be reached, whatever its BASE_URL says. */
    serve(
      baseUrl: string,
      mailboxToken: string | null = null,
      captured: CapturedMail = readers().captured,
    ): string {
      const { services, sending } = readers();
      const isTrustedProxy = unwrap(parseTrustedProxies("loopback"));
      const mail = { kind: "captured" as const, captured, baseUrl, mailboxToken };
      const app = openHttp(services, sending, WORLD, isTrustedProxy, mail);
      app.listen({ port: 0, hostname: "127.0.0.1" });
      servers.push(app.server!);
      return `http://127.0.0.1:${app.server!.port}`;
    },

    async stop(): Promise<void> {
      for (const server of servers) await server.stop(true);
    },
  };
}

/** Captures a message as a mail program may have written it. Returns its number. */
export async function captureMail(
  { captured, workspaceId: own }: ReadersApi,
  raw: string,
  workspaceId: string | null = own,
): Promise<number> {
  const to = ["ada@example.com"];
  await captured.keep({ from: "news@example.org", to, workspaceId, raw: Buffer.from(raw) });
  const [newest] = (await captured.page(1)).values();
  return newest!.number;
}
