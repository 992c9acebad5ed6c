/**
 * How much of a limit this process may use, such as connections, or messages an hour. All processes that send from
 * one database together have the whole limit; at times one of them has nothing.
 */
export type Share = (whole: number) => number;

/** For a process that is the only one. */
export const everything: Share = (whole) => whole;

/** For limits of which each process needs at least one. */
export const atLeastOne = (share: Share, whole: number): number => Math.max(1, share(whole));
