/**
 * What of a limit is this process's: of so many connections or messages an hour, so many. All processes that send from
 * one database together have the whole, and at times one of them nothing.
 */
export type Share = (whole: number) => number;

/** For a process that is alone. */
export const everything: Share = (whole) => whole;

/** Of something that each needs at least one of. */
export const atLeastOne = (share: Share, whole: number): number => Math.max(1, share(whole));
