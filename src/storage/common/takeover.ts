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
