/**
 * What a report changes. One table, however reports come in:
 *
 *   report      the message was      becomes             its person
 *   hard        dot, uncertain       sent, then bounced  BOUNCED, suppressed (HARD_BOUNCE)
 *               sent, queued         bounced             the same
 *               any other            as it was           the same
 *   soft        dot, uncertain       sent                a strike; the third is as hard
 *               any other            as it was           the same
 *   complaint   dot, uncertain       sent                UNSUBSCRIBED, suppressed (COMPLAINT), off every list
 *               any other            as it was           the same
 *   all others  dot, uncertain       sent                nothing
 *               any other            as it was           nothing
 *
 * A report is evidence that the relay had the message: so it was sent, whatever else the report says. Each matching
 * report is kept once per message and kind, and does nothing the second time.
 */
import type { Instant } from "#core/time/clock.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";
import { localTime } from "#workspaces/local-time.ts";
import type { ReportKind } from "./report.ts";

export type Effect = {
  /** The states that the message goes through, in order. */
  readonly moves: readonly ("sent" | "bounced")[];
  readonly person: "bounced" | "complained" | null;
};

/** @param isProof whether there are enough soft reports now, with this one (`areEnoughSoftReports`) */
export function effectOf(kind: ReportKind, state: DeliveryState, isProof: boolean): Effect {
  const isHard = kind === "hard" || (kind === "soft" && isProof);
  const arrived: Effect["moves"] = state === "dot" || state === "uncertain" ? ["sent"] : [];
  const canBounce = arrived.length > 0 || state === "sent" || state === "queued";
  return {
    moves: isHard && canBounce ? [...arrived, "bounced"] : arrived,
    person: isHard ? "bounced" : kind === "complaint" ? "complained" : null,
  };
}

const SOFT_REPORTS = 3;
export const SOFT_REPORTS_WITHIN_MS = 30 * DAY_MS;

/**
 * Three soft reports in 30 days prove that nobody reads there, if they came on different days of the workspace's time
 * zone. What a relay answers at once is counted in another way (`deliveries/reply/strikes.ts`).
 */
export function areEnoughSoftReports(reports: readonly Instant[], now: Instant, zone: string): boolean {
  const recent = reports.filter((at) => now - at < SOFT_REPORTS_WITHIN_MS);
  return new Set(recent.map((at) => localTime(at, zone).day)).size >= SOFT_REPORTS;
}
