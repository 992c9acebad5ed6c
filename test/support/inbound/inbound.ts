/** A server for inbound mail that keeps everything for the addresses that it knows. */
import { manualClock, type ManualClock } from "../common/manual-clock.ts";
import { createLog } from "#log.ts";
import {
  startInboundServer,
  type InboundPost,
  type InboundServer,
  type InboundTls,
} from "#mail/inbound/inbound-server.ts";
import { rawClient, type RawClient } from "../server/raw-client.ts";

export const OURS = "b-token@bounces.example.org";

type Kept = { readonly raw: string; readonly recipients: readonly string[] };

export type TestInbound = {
  readonly server: InboundServer;
  readonly clock: ManualClock;
  readonly kept: Kept[];
  readonly log: string[];
  /** A connection after the greeting and EHLO. */
  greeted(): Promise<RawClient>;
};

export async function startInbound(
  own: { post?: Partial<InboundPost>; tls?: InboundTls } = {},
): Promise<TestInbound> {
  const clock = manualClock();
  const kept: Kept[] = [];
  const log: string[] = [];
  const post: InboundPost = {
    takes: async (address) => address.toLowerCase() === OURS,
    take: async ({ raw, recipients }) =>
      void kept.push({ raw: Buffer.from(raw).toString("latin1"), recipients }),
    ...own.post,
  };
  const server = await startInboundServer({
    host: "127.0.0.1",
    port: 0,
    name: "mail.example.org",
    tls: own.tls ?? null,
    post,
    clock,
    log: createLog({ level: "info", format: "json", clock, write: (line) => void log.push(line) }),
  });
  const greeted = async (): Promise<RawClient> => {
    const client = await rawClient(`http://127.0.0.1:${server.port}`);
    await client.until(/^220 /m);
    client.send("EHLO client.example.net\r\n");
    await client.until(/^250 /m);
    return client;
  };
  return { server, clock, kept, log, greeted };
}

/** Sends a command and resolves with the reply to it. */
export async function say(client: RawClient, command: string): Promise<string> {
  const before = client.received.length;
  client.send(command);
  await client.until(new RegExp(`^[\\s\\S]{${before}}(?:[0-9]{3}-.*\\r\\n)*[0-9]{3} .*\\r\\n`));
  return client.received.slice(before).trimEnd();
}

/** Opens a transaction for one of our addresses, up to the 354. */
export async function toData(client: RawClient, recipient = OURS): Promise<void> {
  await say(client, "MAIL FROM:<>\r\n");
  await say(client, `RCPT TO:<${recipient}>\r\n`);
  await say(client, "DATA\r\n");
}
