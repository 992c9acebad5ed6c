/** What a server learned of its database before it sends anything. */
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
 * So many numbers of messages are left out in a copy: more than the original can have given since. Mail that it sent
 * is out, and its links say a number: that must never become another person's, who would be the one to opt out.
 */
export const NUMBERS_LEFT_OUT = 10_000_000_000;
