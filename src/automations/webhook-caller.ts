import { lookup } from "node:dns/promises";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "#core/clock.ts";
import { signWebhook } from "./webhook-signature.ts";
import { isForbiddenAddress, isForbiddenHost } from "./webhook-target.ts";

const TIME_LIMIT_MS = 10_000;
const BODY_BYTES_MAX = 64 * 1024;
/** Of the answer only the status line is read; what comes before it may not go on for ever. */
const ANSWER_BYTES_MAX = 64 * 1024;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?\r?\n/;

/** What is to be delivered where, and how far a workspace trusts the target. */
export type WebhookRequest = {
  readonly url: string;
  /** The same for every try. */
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly allowPrivate: boolean;
};

/** `forbidden`: it must not be tried again; `failed`: it may work another time. */
export type WebhookAnswer =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "forbidden" | "failed"; readonly problem: string };

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveByDns: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * POSTs signed JSON (Standard Webhooks), over HTTP/1.1 written here: the connection goes to an address that was checked, so a name that
 * answers differently a second time leads nowhere else (no DNS rebinding), and redirects are not followed. At most 10 seconds and 64 KB
 * either way; of the answer only the status counts.
 */
export async function callWebhook(
  request: WebhookRequest,
  clock: Clock,
  resolve: Resolve,
): Promise<WebhookAnswer> {
  const url = new URL(request.url);
  if (Buffer.byteLength(request.body) > BODY_BYTES_MAX)
    return { kind: "forbidden", problem: `What is to be sent is larger than ${BODY_BYTES_MAX} bytes.` };
  let end = (): void => undefined;
  let cancel = (): void => undefined;
  const timeUp = new Promise<WebhookAnswer>((settle) => {
    cancel = clock.setTimer(TIME_LIMIT_MS, () =>
      settle({ kind: "failed", problem: "No answer within 10 seconds." }),
    );
  });
  const carryOut = async (): Promise<WebhookAnswer> => {
    const address = await addressOf(url, request.allowPrivate, resolve);
    if (typeof address !== "string") return address;
    const socket = open(url, address);
    end = () => socket.destroy();
    const ready = url.protocol === "https:" ? "secureConnect" : "connect";
    return await exchange(socket, ready, wire(url, request, clock.now()));
  };
  const failed = (error: unknown): WebhookAnswer => ({
    kind: "failed",
    problem: error instanceof Error ? error.message : String(error),
  });
  return await Promise.race([carryOut().catch(failed), timeUp]).finally(() => {
    cancel();
    end();
  });
}

/** The first of the host's addresses, once every one of them is allowed. */
async function addressOf(url: URL, allowPrivate: boolean, resolve: Resolve): Promise<string | WebhookAnswer> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const forbidden: WebhookAnswer = {
    kind: "forbidden",
    problem: `${url.host} is not a public address. Turn allowPrivateWebhooks on where that is meant.`,
  };
  if (!allowPrivate && isForbiddenHost(url)) return forbidden;
  const isAddress = url.hostname !== host || /^\d+\.\d+\.\d+\.\d+$/.test(host);
  const addresses = isAddress ? [host] : await resolve(host);
  const [first] = addresses;
  if (first === undefined) return { kind: "failed", problem: `${host} has no address.` };
  return !allowPrivate && addresses.some(isForbiddenAddress) ? forbidden : first;
}

function open(url: URL, address: string): Socket {
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  if (!isTls) return connectPlain({ host: address, port });
  // The certificate has to be the name's, wherever it leads.
  return connectTls({
    host: address,
    port,
    servername: url.hostname.replace(/\.$/, ""),
    ALPNProtocols: ["http/1.1"],
  });
}

function wire(url: URL, { id, body, secret }: WebhookRequest, at: number): string {
  const headers = {
    Host: url.host,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "User-Agent": "Postrider-Webhook",
    Connection: "close",
    ...signWebhook({ id, at, body }, secret),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

function exchange(
  socket: Socket,
  ready: "connect" | "secureConnect",
  request: string,
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    let answer = "";
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The connection was closed without an answer.")));
    socket.on(ready, () => socket.write(request));
    socket.on("data", (bytes: Buffer) => {
      answer += bytes.toString("latin1");
      const status = finalStatus(answer);
      if (status !== null) resolve({ kind: "status", status });
      else if (answer.length > ANSWER_BYTES_MAX) reject(new Error("The answer is no HTTP answer."));
    });
  });
}

/** Past interim answers (1xx); null until there is one. */
function finalStatus(answer: string): number | null {
  const status = Number(STATUS_LINE.exec(answer)?.[1] ?? 0);
  if (status >= 200) return status;
  const end = answer.indexOf("\r\n\r\n");
  return status >= 100 && end >= 0 ? finalStatus(answer.slice(end + 4)) : null;
}
