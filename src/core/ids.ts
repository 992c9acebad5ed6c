import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Makes a new opaque id. */
export type NewId = (prefix: string) => string;

/**
 * Ids of records: a prefix naming the kind, ten characters of time (so that rows made together lie together in
 * an index) and sixteen of chance (80 bits). Callers must not read anything out of them.
 */
export function idMaker(clock: Clock, random: Random): NewId {
  return (prefix) => `${prefix}_${timePart(clock.now())}${chancePart(random.bytes(10))}`;
}

function timePart(now: number): string {
  let text = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

function chancePart(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  let text = "";
  for (let i = 0; i < 16; i++, bits >>= 5n) text += ALPHABET[Number(bits & 31n)];
  return text;
}
