/**
 * In milliseconds, by short names: `NOW + 3 * HOUR`. They are counted here and not taken from the sources, so that a
 * wrong length there is seen.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
