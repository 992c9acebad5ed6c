/** What both databases write about a report. */
import { KEPT_KINDS, type KeptKind, type ReportKind } from "#bounces/report.ts";
import type { FittingReport } from "#bounces/store.ts";
import { parseReply, type SmtpReply } from "#core/smtp-reply.ts";
import type { Move } from "#deliveries/moves/move.ts";
import { SHOWN_BY_REPORT } from "./evidence.ts";

export const isStored = (kind: ReportKind): kind is KeptKind =>
  (KEPT_KINDS as readonly string[]).includes(kind);

/** How a report moves its message to a state. */
export function moveBy(report: FittingReport, to: "sent" | "bounced"): Move {
  const why = to === "sent" ? { reason: SHOWN_BY_REPORT } : { reason: report.reason, reply: replyIn(report) };
  return { to, countsAsAttempt: false, ...why };
}

/** The other server's reply, if the report quotes one. */
const replyIn = ({ words }: FittingReport): SmtpReply | null =>
  parseReply(words.replace(/^\s*[a-z0-9-]{1,32}\s*;\s*/i, ""));
