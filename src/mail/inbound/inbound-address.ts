import { isIP } from "node:net";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

/** Where a server for inbound mail listens. */
export type InboundAddress = { readonly host: string; readonly port: number };

/** Reads INBOUND_SMTP: `0.0.0.0:25`, `[::]:25`, `mx.example.com:25`, or `:25` for every address. */
export function parseInboundAddress(text: string): Result<InboundAddress> {
  const [, host, digits = ""] =
    /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9.-]{0,253}):([0-9]{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const address = host?.replace(/^\[(.*)\]$/, "$1");
  if (host === undefined || port < 1 || port > 65535 || (host.startsWith("[") && isIP(address ?? "") !== 6))
    return invalid(`${quoted(text)} is not an address and port such as 0.0.0.0:25`);
  return accept({ host: address || "0.0.0.0", port });
}

/** The address as it is written in INBOUND_SMTP. */
export const inboundLabel = ({ host, port }: InboundAddress): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;
