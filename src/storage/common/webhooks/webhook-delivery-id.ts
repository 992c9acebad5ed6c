/**
 * The public id of a delivery: its row, and what nobody can guess. The row's number alone would come again after
 * a backup was restored, for another message, and a receiver would drop that one as a repeat.
 */
export const deliveryId = (seq: number, nonce: string): string =>
  `msg_${seq.toString(36).padStart(10, "0")}${nonce}`;

const FORM = /^msg_([0-9a-z]{10})([0-9a-f]{16})$/;

/** Null: no id of a delivery. */
export function readDeliveryId(id: string): { readonly seq: number; readonly nonce: string } | null {
  const [, seq, nonce] = FORM.exec(id) ?? [];
  return seq === undefined || nonce === undefined ? null : { seq: Number.parseInt(seq, 36), nonce };
}
