import type { Clock, Instant } from "#core/time/clock.ts";
import { errorCode } from "#core/errors/error-code.ts";
import { storableText } from "#core/text/stored-text.ts";
import { errorText } from "#core/errors/thrown.ts";
import { addressBook, hostOf, type Resolve } from "./address-book.ts";
import { askedPauseMs } from "./retry.ts";
import { signWebhook } from "./signature.ts";

const TIME_LIMIT_MS = 10_000;
const BODY_BYTES_MAX = 64 * 1024;
/** This much of an answer is kept for the log. */
const ANSWER_BYTES_KEPT = 2048;
/** An answer up to this size is read to its end, so that its connection can be used again. */
const ANSWER_BYTES_READ = 64 * 1024;

/** The message and its target, and whether the workspace trusts private targets. */
export type WebhookRequest = {
  readonly url: string;
  /** The same for every attempt. */
  readonly id: string;
  readonly body: string;
  /** One signature each. */
  readonly secrets: readonly string[];
  readonly allowPrivate: boolean;
};

/** `forbidden`: the target is not allowed, or the message is too large; nothing was sent. `failed`: no answer came. */
export type WebhookAnswer =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly answer: string;
      /** How long the answer asks to wait; 0 if it does not. */
      readonly askedPauseMs: number;
    }
  | { readonly kind: "forbidden" | "failed"; readonly problem: string };

/** Makes one attempt to deliver one message. */
export type Attempting = (request: WebhookRequest) => Promise<WebhookAnswer>;

/**
 * POSTs signed JSON (Standard Webhooks) to one of the target's addresses. These were looked up and checked before,
 * and the name is not resolved again (no DNS rebinding). The connection is kept for the next message to the same
 * name. Redirects are not followed, and the environment's proxies are not used. Limits: 10 seconds for everything,
 * 64 KB to send. Only the status decides; the answer's body is only logged.
 */
export function webhookAttempts(clock: Clock, resolve: Resolve): Attempting {
  const addresses = addressBook(clock, resolve);

  /** Resolves when the answer has ended, if there is one; the result is in `seen`. */
  const carryOut = async (
    request: WebhookRequest,
    seen: Seen,
    signal: AbortSignal,
  ): Promise<Refused | null> => {
    const url = new URL(request.url);
    const found = await addresses.find(url, request.allowPrivate);
    if ("kind" in found) return found;
    try {
      await post({ url, address: found.address, at: clock.now() }, request, seen, signal);
      return null;
    } catch (error) {
      if (seen.status === null) addresses.avoid(url, found.address);
      throw error;
    }
  };

  return async (request) => {
    if (Buffer.byteLength(request.body) > BODY_BYTES_MAX)
      return { kind: "forbidden", problem: `What is to be sent is larger than ${BODY_BYTES_MAX} bytes.` };
    const seen: Seen = { status: null, askedPauseMs: 0, kept: [] };
    const timeUp = new AbortController();
    const late = Promise.withResolvers<never>();
    const cancel = clock.setTimer(TIME_LIMIT_MS, () => {
      timeUp.abort();
      late.reject(new Error("No answer within 10 seconds."));
    });
    try {
      return (await Promise.race([carryOut(request, seen, timeUp.signal), late.promise])) ?? answerOf(seen);
    } catch (error) {
      // Once there is a status, it counts, even if the rest of the answer fails.
      return seen.status === null ? { kind: "failed", problem: problemOf(error) } : answerOf(seen);
    } finally {
      cancel();
    }
  };
}

type Refused = Exclude<WebhookAnswer, { kind: "status" }>;

/** What has arrived of an answer so far. */
type Seen = { status: number | null; askedPauseMs: number; readonly kept: Uint8Array[] };

/** Nobody reads them, and as JSON each is six bytes: a page of answers would take long to write. */
const CONTROLS = /[^\P{Cc}\n\r\t]/gu;

const answerOf = ({ status, askedPauseMs: pauseMs, kept }: Seen): WebhookAnswer => ({
  kind: "status",
  status: status ?? 0,
  answer: storableText(Buffer.concat(kept).toString()).replaceAll(CONTROLS, " "),
  askedPauseMs: pauseMs,
});

/**
 * Connects to `address` and nowhere else. With TLS, the certificate must be for the host name. The request names
 * the host as usual, so the receiver sees no difference.
 */
async function post(
  { url, address, at }: { readonly url: URL; readonly address: string; readonly at: Instant },
  { id, body, secrets }: WebhookRequest,
  seen: Seen,
  signal: AbortSignal,
): Promise<void> {
  const target = new URL(url);
  target.hostname = address.includes(":") ? `[${address}]` : address;
  const options: RequestInit & { readonly proxy: false; readonly decompress: false } = {
    method: "POST",
    body,
    redirect: "manual",
    decompress: false,
    proxy: false,
    signal,
    headers: {
      Host: url.host,
      "Content-Type": "application/json",
      "User-Agent": "Postrider-Webhook",
      "Accept-Encoding": "identity",
      ...signWebhook({ id, at, body }, secrets),
    },
    // The name is part of the key of a kept connection, so a connection for another name is never used.
    ...(url.protocol === "https:" && { tls: { serverName: hostOf(url) } }),
  };
  const answer = await fetch(target, options);
  seen.askedPauseMs = askedPauseMs(answer.status, answer.headers.get("retry-after"), at);
  seen.status = answer.status;
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    if (bytes < ANSWER_BYTES_KEPT) seen.kept.push(piece.slice(0, ANSWER_BYTES_KEPT - bytes));
    bytes += piece.length;
    // Leaving the loop closes the connection.
    if (bytes > ANSWER_BYTES_READ) break;
  }
}

const UNTRACEABLE =
  "The certificate leads to no trusted authority: the receiver has to send its intermediate certificates too.";

const NO_HTTP = "What answers does not speak HTTP, or the headers of its answer are too long.";

const PROBLEMS: Readonly<Record<string, string>> = {
  ConnectionRefused: "The connection was refused.",
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed without an answer.",
  ENOTFOUND: "The name was not found in DNS.",
  EAI_AGAIN: "DNS did not answer.",
  FailedToOpenSocket: "No connection could be made.",
  Malformed_HTTP_Response: NO_HTTP,
  InvalidContentLength: NO_HTTP,
  UnsupportedTransferEncoding: NO_HTTP,
  UnrequestedUpgrade: NO_HTTP,
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate is signed by an authority that is not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRACEABLE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRACEABLE,
  CERT_HAS_EXPIRED: "The certificate has expired.",
  CERT_NOT_YET_VALID: "The certificate is not valid yet.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name.",
};

/** The error for the log of deliveries, without what the library adds for its own users. */
function problemOf(error: unknown): string {
  const message = errorText(error);
  return (
    PROBLEMS[errorCode(error)] ?? (message.split(" For more information", 1)[0] ?? message).slice(0, 500)
  );
}
