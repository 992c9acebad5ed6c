import { randomBytes } from "node:crypto";

/** The only source of chance in the service. */
export type Random = {
  /** Cryptographically strong bytes. */
  bytes(length: number): Uint8Array;
  /** A fraction in [0, 1), for jitter only. */
  fraction(): number;
};

/** Ids take up to so many bytes at once; secrets are longer, and are drawn by themselves. */
const SMALL = 16;
const STOCK = 4096;

/** Small numbers of bytes come out of a stock, each byte once: to ask the system for ten costs as much as for a thousand. */
export function stockedRandom(draw: (length: number) => Uint8Array): Random["bytes"] {
  let stock: Uint8Array = new Uint8Array();
  let used = 0;
  return (length) => {
    if (length > SMALL) return draw(length);
    if (used + length > stock.length) {
      stock = draw(STOCK);
      used = 0;
    }
    used += length;
    return stock.slice(used - length, used);
  };
}

export const systemRandom: Random = {
  bytes: stockedRandom(randomBytes),
  fraction: () => Math.random(),
};
