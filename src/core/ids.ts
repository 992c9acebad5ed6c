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

/** Five bits a character, of five bytes at a time: more would not fit a number exactly. */
function chancePart(bytes: Uint8Array): string {
  return charactersOf(bytes, 0) + charactersOf(bytes, 5);
}

function charactersOf(bytes: Uint8Array, from: number): string {
  let bits = 0;
  for (let i = from; i < from + 5; i++) bits = bits * 256 + bytes[i]!;
  let text = "";
  for (let i = 0; i < 8; i++, bits = Math.floor(bits / 32)) text += ALPHABET[bits % 32];
  return text;
}
