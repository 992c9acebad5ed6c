import type { Instant } from "#core/time/clock.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import { decideStrike, type StrikeHistory, type StrikeKind } from "#deliveries/reply/strikes.ts";

/**
 * Judges an outcome with the earlier strikes of the address, and returns the strikes to keep. The last strike that
 * is needed makes it a hard bounce, but only if there is a reply of the relay that can be shown.
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
