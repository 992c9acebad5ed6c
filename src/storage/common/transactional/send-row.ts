import type { SendRow } from "#transactional/answer.ts";
import { replyOf } from "#storage/common/ledger/delivery-record.ts";

/** A recipient of a request, as both databases read it. */
export type StoredSendRow = Omit<SendRow, "reply"> & Parameters<typeof replyOf>[0];

export const sendRowOf = ({ replyCode, replyEnhanced, replyText, ...row }: StoredSendRow): SendRow => ({
  ...row,
  reply: replyOf({ replyCode, replyEnhanced, replyText }),
});
