/** What a server learns about its database before it sends anything. */
export type Takeover = {
  readonly run: number;
  /** Messages that an earlier run left at their dot; nobody knows whether they arrived. */
  readonly uncertain: number;
  /** Campaigns that now wait for `campaign release`. */
  readonly held: number;
  /** Why they wait; null in the normal case. */
  readonly holdReason: string | null;
};

/**
 * How many message numbers a copy skips: more than the original can have used since. Links in the original's mail
 * contain its numbers. Such a number must never belong to another person, who would be opted out by it.
 */
export const NUMBERS_LEFT_OUT = 10_000_000_000;
