/** What the parts of sending are made from. */
import type { waysOut } from "#deliveries/way-out.ts";
import type { createSender } from "#deliveries/sender/sender.ts";
import type { Dns } from "#doctor/dns/dns.ts";
import type { Ask } from "#inbound/hooks/amazon.ts";
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { Resolve } from "#webhooks/calls/address-book.ts";
import type { Engine } from "./engine.ts";
import type { SessionOptions } from "./sender-sessions.ts";
import type { Services } from "./services.ts";

export type SendingOptions = SessionOptions & {
  /** The number of this run, from `ledger.join`. */
  readonly run: number;
  /** The service's relays; a workspace's own `smtpUrl` overrides them. */
  readonly relays: readonly RelayAddress[];
  readonly baseUrl: string;
  /** Whether the relay is our own capture server, which is told the workspace of each message. */
  readonly isCaptured?: boolean;
  /** Whether the service takes mail itself (`INBOUND_SMTP`). */
  readonly inboundSmtp?: boolean;
  /** How webhooks find their targets; by DNS unless given. */
  readonly resolve?: Resolve;
  /** How Amazon is asked for the certificates of its reports; by HTTPS unless given. */
  readonly askAmazon?: Ask;
  /** What `/deliverability` asks about senders; the system's DNS unless given. */
  readonly dns?: Dns;
};

/** The services, and the stores that sending adds to them. */
export type Parts = Services & { readonly stores: ReturnType<Engine["openSendingStores"]> };
export type Ways = ReturnType<typeof waysOut>;
export type Sender = ReturnType<typeof createSender>;
