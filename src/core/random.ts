import { randomBytes } from "node:crypto";

/** The only source of randomness in the service. */
export type Random = {
  /** Cryptographically strong bytes. */
  bytes(length: number): Uint8Array;
  /** A fraction in [0, 1), for jitter only. */
  fraction(): number;
};

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  fraction: () => Math.random(),
};
