import type { Random } from "#core/random.ts";

/**
 * Random numbers that can be repeated: the same seed gives the same numbers (Tommy Ettinger's mulberry32,
 * public domain).
 */
export type Dice = {
  /** From 0 to below 1. */
  fraction(): number;
  /** A whole number from 0 to below `sides`. */
  roll(sides: number): number;
  pick<T>(from: readonly T[]): T;
};

/**
 * For tests that should differ in each run. KILL_SEED=N repeats a run, so put the seed into the name of the
 * test: a failure shows it.
 */
export const killSeed = (): number => Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 1e9));

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = (): number => next() / 2 ** 32;
  const roll = (sides: number): number => Math.floor(fraction() * sides);
  return { fraction, roll, pick: (from) => from[roll(from.length)]! };
}

/** A service's source of randomness, from a seed: its ids, keys and pauses are the same in every run. */
export function seededRandom(seed: number): Random {
  const { fraction, roll } = dice(seed);
  return { fraction, bytes: (length) => Uint8Array.from({ length }, () => roll(256)) };
}
