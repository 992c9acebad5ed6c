/**
 * Idempotency keys of POST /send (docs/decisions.md "Transactional send"). The states of a key:
 *
 *   (free) --the request is committed--> running --answered 200--> answered --24 hours--> (free)
 *     ^                                    |
 *     |------------- 502 ------------------|
 *                                          '-- the server died --> running until the 24 hours are over
 *
 * A key becomes running in the transaction that makes the mailing, before the first SMTP byte. The key of a request
 * that is refused with 402, 403, 404 or 422 never becomes running. After a crash nobody knows what was sent, so the
 * key stays closed.
 */
import { createHash } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, refuse, type Result } from "#core/errors/errors.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { SendAnswer } from "#transactional/answer.ts";

/** How long a key remembers its request. */
export const KEY_LIFE_MS = DAY_MS;

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** A request that carries a key. */
export type KeyedRequest = { readonly key: string; readonly bodyHash: Uint8Array };

/** What a key remembers; `answer` is null while its request runs. */
export type KeptRequest = {
  readonly bodyHash: Uint8Array;
  readonly answer: SendAnswer | null;
  readonly createdAt: Instant;
};

/** What other services call the header. */
const FOREIGN_NAME = "X-Idempotency-Key";

/**
 * The `Idempotency-Key` header together with a hash of the body; null without the header. An invalid header
 * is a CONFLICT, and so is one with another service's name alone: whoever repeats such a request mails twice.
 */
export function parseIdempotency(headers: Headers, body: unknown): Result<KeyedRequest | null> {
  const header = headers.get("Idempotency-Key");
  if (header === null && headers.has(FOREIGN_NAME))
    return refuse("CONFLICT", `There is no header \`${FOREIGN_NAME}\`: it is called \`Idempotency-Key\`.`);
  if (header === null) return accept(null);
  if (!VISIBLE.test(header))
    return refuse("CONFLICT", "`Idempotency-Key` must have 1 to 255 visible ASCII characters and no spaces.");
  const json = canonicalJson(body);
  if (json === null) return invalid("The body is nested too deeply. Flatten it.");
  return accept({ key: header, bodyHash: createHash("sha256").update(json).digest() });
}

/** The earlier answer to repeat; null if the request may be sent. */
export function decideRepeat(
  kept: KeptRequest | null,
  keyed: KeyedRequest | null,
  now: Instant,
): Result<SendAnswer | null> {
  if (kept === null || keyed === null || now - kept.createdAt >= KEY_LIFE_MS) return accept(null);
  if (!Buffer.from(kept.bodyHash).equals(keyed.bodyHash))
    return refuse(
      "CONFLICT",
      "This `Idempotency-Key` was used with another body in the last 24 hours. Use a new key.",
    );
  if (kept.answer !== null) return accept(kept.answer);
  return refuse(
    "CONFLICT",
    "A request with this `Idempotency-Key` is still running, or was cut off by a stop of the server. Nothing was sent again. Ask again in a minute: if it is still so, look in `GET /messages` for what went out.",
  );
}

/**
 * The same text for equal JSON, whatever the order of members and the white space. Null if it is nested too
 * deep.
 */
function canonicalJson(value: unknown): string | null {
  try {
    return JSON.stringify(inOrder(value));
  } catch {
    return null;
  }
}

/**
 * Objects without a prototype, so that `__proto__` is a member like any other. Not a replacer of
 * `JSON.stringify`, which is slower: a body may have several megabytes.
 */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value).toSorted())
    sorted[name] = inOrder((value as Record<string, unknown>)[name]);
  return sorted;
}
