/**
 * The public id of a delivery: its row number and a random part. After a backup was restored, the same number may
 * be used for another message, and a receiver would drop that one as a repeat.
 */
export const deliveryId = (seq: number, nonce: string): string =>
  `msg_${seq.toString(36).padStart(10, "0")}${nonce}`;

const FORM = /^msg_([0-9a-z]{10})([0-9a-f]{16})$/;

/** Null: not the id of a delivery. */
export function readDeliveryId(id: string): { readonly seq: number; readonly nonce: string } | null {
  const [, seq, nonce] = FORM.exec(id) ?? [];
  return seq === undefined || nonce === undefined ? null : { seq: Number.parseInt(seq, 36), nonce };
}
