import type { DeliveryState } from "#deliveries/ledger.ts";
import type { MovingRow } from "./move.ts";

/**
 * What moves change in the numbers of one mailing: how many rows have each state, how many the relay accepted, and
 * how many reservations are given back.
 */
export type Account = Record<DeliveryState | "accepted" | "freed", number>;

export const newAccount = (): Account => ({
  queued: 0,
  dot: 0,
  sent: 0,
  bounced: 0,
  failed: 0,
  uncertain: 0,
  skipped: 0,
  accepted: 0,
  freed: 0,
});

/** Adds one move. `row` is as it was before the move. */
export function countMove(account: Account, row: MovingRow, to: DeliveryState): void {
  account[row.state]--;
  account[to]++;
  if (to === "sent") account.accepted++;
  if (freesReservation(row, to)) account.freed++;
}

/**
 * Whether the move gives back the reservation of a message for cap and limit. A message that bounces after it was
 * sent stays counted. A stopped mailing has already given back the reservations of its queued rows. If one of its
 * rows comes back from the dot, it is not tried again, so its reservation is given back too.
 */
function freesReservation({ state, phase }: MovingRow, to: DeliveryState): boolean {
  const ends = to === "skipped" || to === "failed" || to === "bounced";
  if (phase === "stopped") return state === "dot" && (ends || to === "queued");
  return ends && (state === "queued" || state === "dot");
}
