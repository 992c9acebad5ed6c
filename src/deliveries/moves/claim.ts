import { barredBy, type BarringFacts } from "#deliveries/eligibility.ts";
import type { SkipReason } from "#deliveries/ledger.ts";
import { skip, type Move, type MovingRow } from "./move.ts";

/** A row with everything that decides whether its dot may go out. This is the last look: no fact may be left out. */
export type Claimable = MovingRow & Required<BarringFacts> & { readonly isHeld: boolean };

/**
 * Why a row's dot may not go out although its recipient may be mailed. `held`: its mailing is held, and the row is
 * owed as before. `gone`: the row or its mailing is no longer owed.
 */
export type NotNow = "held" | "gone";

export const isNotNow = (answer: string): answer is NotNow => answer === "held" || answer === "gone";

/** The answer to a request to send a dot. */
export type Claim = "dot" | NotNow | SkipReason;

const DOT: Move = { to: "dot", countsAsAttempt: false };

/**
 * Whether the dot may go out: `queued -> dot`, or `queued -> skipped` if the person may no longer be mailed.
 * Without a move nothing is written.
 */
export function decideClaim(row: Claimable): { readonly claim: Claim; readonly move: Move | null } {
  const { answer, move } = decideLook(row);
  return answer === "owed" ? { claim: "dot", move: DOT } : { claim: answer, move };
}

/** The same check before a connection is used: a row that may be sent stays as it is. */
export function decideLook(row: Claimable): {
  readonly answer: "owed" | NotNow | SkipReason;
  readonly move: Move | null;
} {
  if (row.state !== "queued" || row.phase !== "sending") return { answer: "gone", move: null };
  if (row.isHeld) return { answer: "held", move: null };
  const reason = barredBy(row);
  return reason === null ? { answer: "owed", move: null } : { answer: reason, move: skip(reason) };
}
