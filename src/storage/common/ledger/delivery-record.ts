import type { DeliveryRecord, ReasonCount } from "#deliveries/delivery-record.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";

/** A row of the ledger for people, as both databases read it. */
type DeliveryRow = Omit<DeliveryRecord, "email" | "reply"> & {
  readonly seq: number;
  readonly address: string;
  readonly replyCode: number | null;
  readonly replyEnhanced: string | null;
  readonly replyText: string | null;
};

export function deliveryOf({
  seq: _seq,
  address,
  replyCode,
  replyEnhanced,
  replyText,
  ...row
}: DeliveryRow): DeliveryRecord {
  return { ...row, email: address, reply: replyOf({ replyCode, replyEnhanced, replyText }) };
}

/** The relay's reply; null if there is none. */
export const replyOf = ({
  replyCode,
  replyEnhanced,
  replyText,
}: Pick<DeliveryRow, "replyCode" | "replyEnhanced" | "replyText">): DeliveryRecord["reply"] =>
  replyCode === null ? null : { code: replyCode, enhanced: replyEnhanced, text: replyText ?? "" };

type StateCount = { readonly state: DeliveryState; readonly reason: string; readonly n: number };

/** The most common first. */
export const reasonCounts = (
  skips: readonly Omit<StateCount, "state">[],
  others: readonly StateCount[],
): ReasonCount[] =>
  [...skips.map((row) => ({ state: "skipped" as const, ...row })), ...others]
    .map(({ state, reason, n }) => ({ state, reason, count: n }))
    .toSorted((a, b) => b.count - a.count);

/** How many rows of a mailing have this reason, in this state or in any (null). */
export const countOfReason = (
  reasons: readonly ReasonCount[],
  reason: string,
  state: DeliveryState | null,
): number =>
  reasons
    .filter((one) => one.reason === reason && (state === null || one.state === state))
    .reduce((sum, { count }) => sum + count, 0);
