import type { DeliveryState } from "#deliveries/ledger.ts";

/** Why a message is `sent` although no relay confirmed it: a person read it, or a report about it came. */
export const SEEN = "SEEN_BY_RECIPIENT";
export const SHOWN_BY_REPORT = "SHOWN_BY_REPORT";

type Row = {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly settledAt: number | null;
};

/** When the relay accepted it. A message at its dot is only now being accepted, so `now` is the closest time. */
export function acceptedAt({ state, reason, settledAt }: Row, now: number): number | null {
  if (state === "dot") return now;
  return state === "sent" && reason !== SEEN && reason !== SHOWN_BY_REPORT ? settledAt : null;
}
