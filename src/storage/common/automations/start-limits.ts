/**
 * So many starts are written with the change that caused them: about a millisecond's work. A trigger that
 * more automations wait for, or comes when so many are written, is one row, and its starts follow in pieces.
 * So the number of automations never makes a write long.
 */
export const STARTS_AT_ONCE = 500;

/** So many are written between two looks at the clock. */
export const STARTS_A_LOOK = 100;

/** So many rows of past listeners are removed at once, when no trigger needs them any more. */
export const FORGOTTEN_AT_ONCE = 300;
