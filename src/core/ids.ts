import type { Clock } from "#core/time/clock.ts";
import type { Random } from "./random.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Makes a new opaque id. */
export type NewId = (prefix: string) => string;

const CHANCE_BYTES = 10;
const REQUEST_ID_BYTES = 12;
/**
 * Random bytes are drawn for this many ids at once: asking the system is expensive, however few bytes it
 * gives.
 */
const DRAWN_AT_ONCE = 256;

/**
 * Makes ids of records: a prefix that names the kind, ten characters of time (so that records made together
 * lie together in an index) and sixteen random characters (80 bits). Callers must not read anything out of an
 * id.
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

/** Makes ids of requests: 96 random bits as 24 hexadecimal digits. */
export function requestIdMaker(random: Random): () => string {
  return cutFrom(REQUEST_ID_BYTES * 2, () => random.bytes(REQUEST_ID_BYTES * DRAWN_AT_ONCE).toHex());
}

/**
 * Hands out texts of `length` characters, cut one after the other from the longer texts that `draw` makes.
 */
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

/** Encodes every five bytes as eight characters, of five bits each. */
function inFives(bytes: Uint8Array): string {
  const text = Buffer.allocUnsafe((bytes.length / 5) * 8);
  let [written, bits, count] = [0, 0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffff;
    for (count += 8; count >= 5;) {
      count -= 5;
      text[written++] = ALPHABET.charCodeAt((bits >> count) & 31);
    }
  }
  return text.toString("latin1");
}
