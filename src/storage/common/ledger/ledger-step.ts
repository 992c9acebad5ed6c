/** What the sender records about a message. The steps of many connections share a commit. */
import type { Outcome } from "#deliveries/ledger.ts";
import type { Claim } from "#deliveries/moves/claim.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";

/** A request to send a message's dot. */
export type Claiming = {
  readonly message: number;
  readonly run: number;
  readonly now: number;
  readonly isCounted: boolean;
};

/** How a message's attempt ended. */
export type Settling = {
  readonly message: number;
  readonly outcome: Outcome;
  readonly now: number;
  readonly strike: StrikeKind | null;
};

export type Step = Claiming | Settling;

/** Claims and settlements share a round, so both are answered by a claim. A settlement's is read by nobody. */
export const SETTLED: Claim = "gone";
