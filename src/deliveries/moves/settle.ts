import type { Outcome } from "#deliveries/ledger.ts";
import type { MailKind } from "#deliveries/mail-kind.ts";
import { moveOfStopped, type Move, type MovingRow } from "./move.ts";

/**
 * Which moves follow from an attempt's outcome, in this order. None if the row is neither owed nor at its dot: then
 * something else has already settled it.
 *
 * If a row comes back as owed after its mailing was stopped, it ends at once: nothing of that mailing is sent again.
 */
export function decideSettling(row: MovingRow & { readonly kind: MailKind }, outcome: Outcome): Move[] {
  if (row.state !== "queued" && row.state !== "dot") return [];
  const move = settlingMove(row, outcome);
  const isOwedAgain = (move?.to ?? row.state) === "queued";
  const end = isOwedAgain ? moveOfStopped(row, move?.reason) : null;
  return [move, end].filter((one) => one !== null);
}

/** Null: the row stays where it is. */
function settlingMove({ state }: MovingRow, outcome: Outcome): Move | null {
  switch (outcome.state) {
    case "untouched":
      return state === "dot" ? { to: "queued", reply: outcome.reply, countsAsAttempt: false } : null;
    case "queued": {
      const { state: to, ...written } = outcome;
      return { to, ...written, countsAsAttempt: true };
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
