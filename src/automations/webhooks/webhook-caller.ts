import { lookup } from "node:dns/promises";
import { request as requestHttp, type ClientRequest, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { Clock } from "#core/clock.ts";
import { signWebhook } from "./webhook-signature.ts";
import { isForbiddenAddress, isForbiddenHost } from "./webhook-target.ts";

const TIME_LIMIT_MS = 10_000;
const BODY_BYTES_MAX = 64 * 1024;
/** Only the status of the answer matters. An answer with larger headers counts as none. */
const HEADER_BYTES_MAX = 64 * 1024;

/** The message and its target, and whether the workspace trusts private targets. */
export type WebhookRequest = {
  readonly url: string;
  /** The same for every try. */
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly allowPrivate: boolean;
};

/** `forbidden`: do not retry; `failed`: it may work another time. */
export type WebhookAnswer =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "forbidden" | "failed"; readonly problem: string };

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveByDns: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * POSTs signed JSON (Standard Webhooks). The name is looked up once, its addresses are checked, and the
 * connection goes to one of those addresses. So a name that resolves differently a second time cannot lead
 * elsewhere (no DNS rebinding). Redirects are not followed. Limits: 10 seconds and 64 KB; only the status of
 * the answer matters.
 */
export async function callWebhook(
  request: WebhookRequest,
  clock: Clock,
  resolve: Resolve,
): Promise<WebhookAnswer> {
  if (Buffer.byteLength(request.body) > BODY_BYTES_MAX)
    return { kind: "forbidden", problem: `What is to be sent is larger than ${BODY_BYTES_MAX} bytes.` };
  const timeUp = new AbortController();
  const late = Promise.withResolvers<never>();
  const cancel = clock.setTimer(TIME_LIMIT_MS, () => {
    timeUp.abort();
    late.reject(new Error("No answer within 10 seconds."));
  });
  const carryOut = async (): Promise<WebhookAnswer> => {
    const url = new URL(request.url);
    const address = await addressOf(url, request.allowPrivate, resolve);
    if (typeof address !== "string") return address;
    return await post(url, address, request, clock.now(), timeUp.signal);
  };
  try {
    return await Promise.race([carryOut(), late.promise]);
  } catch (error) {
    return { kind: "failed", problem: error instanceof Error ? error.message : String(error) };
  } finally {
    cancel();
    timeUp.abort();
  }
}

/** The first of the host's addresses, if all of them are allowed. */
async function addressOf(url: URL, allowPrivate: boolean, resolve: Resolve): Promise<string | WebhookAnswer> {
  const host = hostOf(url);
  const forbidden: WebhookAnswer = {
    kind: "forbidden",
    problem: `${url.host} is not a public address. Turn allowPrivateWebhooks on where that is meant.`,
  };
  if (!allowPrivate && isForbiddenHost(url)) return forbidden;
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const [first] = addresses;
  if (first === undefined) return { kind: "failed", problem: `${host} has no address.` };
  return !allowPrivate && addresses.some(isForbiddenAddress) ? forbidden : first;
}

/** The host without the brackets of an IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/**
 * Connects to `address` and nowhere else. With TLS, the certificate must be for the host name. An abort cuts
 * the socket.
 */
function post(
  url: URL,
  address: string,
  { id, body, secret }: WebhookRequest,
  at: number,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const options: RequestOptions = {
    method: "POST",
    // A new connection: a kept one could have been opened under an earlier check.
    agent: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    lookup: (_hostname, { all }, found) => {
      const family = isIP(address);
      if (all === true) found(null, [{ address, family }]);
      else found(null, address, family);
    },
    headers: {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "User-Agent": "Postrider-Webhook",
      Connection: "close",
      ...signWebhook({ id, at, body }, secret),
    },
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options);
    request.on("error", reject);
    signal.addEventListener("abort", () => request.destroy());
    request.on("response", (answer) => {
      resolve({ kind: "status", status: answer.statusCode ?? 0 });
      answer.destroy();
    });
    request.end(body);
  });
}
