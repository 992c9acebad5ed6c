import { present } from "#core/present.ts";
import { replyOf } from "#storage/common/ledger/delivery-record.ts";
import { MESSAGE_STATES, type Message } from "#transactional/message.ts";

/** A message of POST /send as both databases read it. */
type MessageRow = Omit<Message, "state" | "reply"> & {
  /** The state as the ledger names it. */
  readonly state: string;
  readonly replyCode: number | null;
  readonly replyEnhanced: string | null;
  readonly replyText: string | null;
};

export function messageOf({ replyCode, replyEnhanced, replyText, state, ...row }: MessageRow): Message {
  return {
    ...row,
    reply: replyOf({ replyCode, replyEnhanced, replyText }),
    state: present(
      MESSAGE_STATES.find((known) => known.toLowerCase() === state),
      "state of a message",
    ),
  };
}
