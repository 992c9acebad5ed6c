import type { Instant } from "#core/time/clock.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import { decideStrike, type StrikeHistory, type StrikeKind } from "#deliveries/reply/strikes.ts";

/**
 * What an outcome is with the strikes that the address had before, and the strikes to keep from now on. The last one
 * needed makes it a hard bounce, where the relay has said something that can be shown.
 */
export function afterStrike(
  outcome: Outcome,
  kind: StrikeKind,
  before: StrikeHistory,
  now: Instant,
): { readonly outcome: Outcome; readonly history: StrikeHistory } {
  const { history, hard } = decideStrike(kind, before, now);
  const reply = "reply" in outcome ? outcome.reply : null;
  if (!hard || reply === null || !("reason" in outcome)) return { outcome, history };
  return { outcome: { state: "bounced", reason: outcome.reason, reply }, history };
}
