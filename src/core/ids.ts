import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Makes a new opaque id. */
export type NewId = (prefix: string) => string;

const CHANCE_BYTES = 10;
const REQUEST_ID_BYTES = 12;
/** For so many ids chance is drawn at once: to ask the system for ten bytes costs as much as for a thousand. */
const DRAWN_AT_ONCE = 256;

/**
 * Ids of records: a prefix naming the kind, ten characters of time (so that rows made together lie together in
 * an index) and sixteen of chance (80 bits). Callers must not read anything out of them.
 */
export function idMaker(clock: Clock, random: Random): NewId {
  const chance = cutFrom((CHANCE_BYTES * 8) / 5, () => inFives(random.bytes(CHANCE_BYTES * DRAWN_AT_ONCE)));
  let latest = { now: Number.NaN, text: "" };
  return (prefix) => {
    const now = clock.now();
    if (now !== latest.now) latest = { now, text: timePart(now) };
    return `${prefix}_${latest.text}${chance()}`;
  };
}

/** Ids of requests: 96 bits of chance as 24 hexadecimal digits. */
export function requestIdMaker(random: Random): () => string {
  return cutFrom(REQUEST_ID_BYTES * 2, () => random.bytes(REQUEST_ID_BYTES * DRAWN_AT_ONCE).toHex());
}

/** Hands out texts of so many characters, cut one after the other from the longer ones that `draw` makes. */
function cutFrom(length: number, draw: () => string): () => string {
  let text = "";
  let used = 0;
  return () => {
    if (used === text.length) {
      text = draw();
      used = 0;
    }
    used += length;
    return text.slice(used - length, used);
  };
}

function timePart(now: number): string {
  let text = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

/** Five bits a character, and ten at a time. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET[bits >> 5]! + ALPHABET[bits & 31]!);

/** Every five bytes as eight characters. */
function inFives(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 5) {
    const [a, b, c, d, e] = [bytes[i]!, bytes[i + 1]!, bytes[i + 2]!, bytes[i + 3]!, bytes[i + 4]!];
    text += PAIRS[(a << 2) | (b >> 6)]! + PAIRS[((b & 63) << 4) | (c >> 4)]!;
    text += PAIRS[((c & 15) << 6) | (d >> 2)]! + PAIRS[((d & 3) << 8) | e]!;
  }
  return text;
}
