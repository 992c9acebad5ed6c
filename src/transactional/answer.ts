import { replyLine, type SmtpReply } from "#core/smtp-reply.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";

export const RECIPIENT_STATUSES = ["SENT", "FAILED", "SKIPPED", "UNCERTAIN"] as const;
type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** One recipient's message as the ledger has it. `number` is its number there. */
export type SendRow = {
  readonly number: number;
  readonly email: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
  /** What the relay said of it last. */
  readonly reply: SmtpReply | null;
};

/**
 * The answer to the caller (docs/decisions.md "Transactional send"). `failed` also counts the uncertain
 * messages.
 */
export type SendAnswer = {
  readonly id: string;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  readonly recipients: readonly {
    readonly email: string;
    readonly status: RecipientStatus;
    /** Without angle brackets; null if the message was never tried. */
    readonly messageId: string | null;
    readonly reason: string | null;
  }[];
};

const STATUS: Readonly<Record<DeliveryState, RecipientStatus>> = {
  sent: "SENT",
  skipped: "SKIPPED",
  failed: "FAILED",
  bounced: "FAILED",
  queued: "FAILED",
  uncertain: "UNCERTAIN",
  // The relay has the message, but its reply has not come yet.
  dot: "UNCERTAIN",
};

/** True if nothing more will happen to the row, at least not soon. */
export const isSettled = ({ state }: SendRow): boolean => state !== "queued" && state !== "dot";

export function sendAnswer(
  id: string,
  rows: readonly SendRow[],
  messageIdOf: (message: number) => string,
): SendAnswer {
  const recipients = rows.map(({ number, email, state, reason }) => {
    const status = STATUS[state];
    return {
      email,
      status,
      messageId: status === "SKIPPED" ? null : messageIdOf(number),
      reason: status === "SENT" ? null : (reason ?? "NO_REPLY_YET"),
    };
  });
  const count = (...statuses: RecipientStatus[]): number =>
    recipients.filter(({ status }) => statuses.includes(status)).length;
  return {
    id,
    sent: count("SENT"),
    failed: count("FAILED", "UNCERTAIN"),
    skipped: count("SKIPPED"),
    recipients,
  };
}

/** True if at least one recipient was tried and none of those got anything for certain: a 502. */
export function nobodyGotIt({ recipients }: SendAnswer): boolean {
  const tried = recipients.filter(({ status }) => status !== "SKIPPED");
  return tried.length > 0 && tried.every(({ status }) => status === "FAILED");
}

/**
 * Why messages failed, each reason once, with the words of the relay: "REFUSED_BY_RELAY: 550 5.7.1 Relaying denied".
 * `trouble`: what is wrong with the relays, where they stop all mail.
 */
export function failuresOf(rows: readonly SendRow[], trouble: string | null): string[] {
  const failed = rows.filter(({ state }) => STATUS[state] === "FAILED");
  const words = failed.map(({ reason, reply }) =>
    [reason, reply ? replyLine(reply) : trouble].filter((part) => part !== null).join(": "),
  );
  return [...new Set(words)];
}
