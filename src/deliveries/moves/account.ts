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

/** Enters one move, of a row as it was before it. */
export function countMove(account: Account, row: MovingRow, to: DeliveryState): void {
  account[row.state]--;
  account[to]++;
  if (to === "sent") account.accepted++;
  if (freesReservation(row, to)) account.freed++;
}

/**
 * Whether the move takes a message out of the numbers for cap and limit. A message that bounces after it was
 * sent stays counted. A stopped mailing has given back the reservations of all its queued rows. A row of it that
 * comes back from its dot is not tried again.
 */
function freesReservation({ state, phase }: MovingRow, to: DeliveryState): boolean {
  const ends = to === "skipped" || to === "failed" || to === "bounced";
  if (phase === "stopped") return state === "dot" && (ends || to === "queued");
  return ends && (state === "queued" || state === "dot");
}
