import type { Outcome } from "#deliveries/ledger.ts";
import { skip, type Move, type MovingRow } from "./move.ts";

/**
 * Which moves follow from an attempt's outcome, in this order. None if the row is neither owed nor at its dot: then
 * something else has already settled it.
 *
 * If a row comes back as owed after its mailing was stopped, it is skipped at once: nothing of that mailing is sent
 * again.
 */
export function decideSettling(row: MovingRow, outcome: Outcome): Move[] {
  if (row.state !== "queued" && row.state !== "dot") return [];
  const move = settlingMove(row, outcome);
  const isOwedAgain = (move?.to ?? row.state) === "queued";
  const moves = move === null ? [] : [move];
  return isOwedAgain && row.phase === "stopped" ? [...moves, skip("STOPPED")] : moves;
}

/** Null: the row stays where it is. */
function settlingMove({ state }: MovingRow, outcome: Outcome): Move | null {
  switch (outcome.state) {
    case "untouched":
      return state === "dot" ? { to: "queued", reply: outcome.reply, countsAsAttempt: false } : null;
    case "queued": {
      const { reason, reply, nextAttemptAt } = outcome;
      return { to: "queued", reason, reply, nextAttemptAt, countsAsAttempt: true };
    }
    case "uncertain":
      return { to: "uncertain", reason: outcome.reason, countsAsAttempt: true };
    case "sent":
      return { to: "sent", reply: outcome.reply, countsAsAttempt: true };
    case "bounced":
    case "failed": {
      const { state: to, reason, reply } = outcome;
      const detail = "detail" in outcome ? outcome.detail : null;
      return { to, reason, ...(detail === undefined ? {} : { detail }), reply, countsAsAttempt: true };
    }
  }
}
