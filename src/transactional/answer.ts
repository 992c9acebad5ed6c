import type { DeliveryState } from "#deliveries/ledger.ts";

export const RECIPIENT_STATUSES = ["SENT", "FAILED", "SKIPPED", "UNCERTAIN"] as const;
type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** One recipient's message as the ledger has it. `number` is its place there. */
export type SendRow = {
  readonly number: number;
  readonly email: string;
  readonly state: DeliveryState;
  readonly reason: string | null;
};

/** What the caller is told (docs/decisions.md "Transactional send"). `failed` counts the uncertain ones too. */
export type SendAnswer = {
  readonly id: string;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  readonly recipients: readonly {
    readonly email: string;
    readonly status: RecipientStatus;
    /** Without angle brackets; null for one that was never tried. */
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
  // The relay has it, but for its answer.
  dot: "UNCERTAIN",
};

/** True when nothing more will happen to the row, or happen soon. */
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

/** True when at least one recipient was tried and each of those definitely got nothing: a 502. */
export function nobodyGotIt({ recipients }: SendAnswer): boolean {
  const tried = recipients.filter(({ status }) => status !== "SKIPPED");
  return tried.length > 0 && tried.every(({ status }) => status === "FAILED");
}
