import { present } from "#core/present.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { isNotNow } from "#deliveries/moves/claim.ts";
import type { Family } from "./exposition.ts";

/**
 * How an attempt ended, in the words of the metric. `not_tried`: the relay's fault or ours; the message is
 * still owed.
 */
const WORDS = {
  sent: "sent",
  bounced: "bounced",
  failed: "failed",
  uncertain: "uncertain",
  queued: "deferred",
  untouched: "not_tried",
} as const satisfies Record<Outcome["state"], string>;

export type DeliveryOutcomes = {
  /** Wraps a ledger and counts what is written to it. */
  watch(ledger: LedgerStore): LedgerStore;
  family(): Family;
};

/**
 * Attempts by outcome since this process started. Every outcome is there from the start with 0, so that
 * Prometheus can calculate a rate from the first one on.
 */
export function deliveryOutcomes(): DeliveryOutcomes {
  const counts = new Map<string, number>([...Object.values(WORDS), "skipped"].map((word) => [word, 0]));
  const count = (word: string): unknown => counts.set(word, present(counts.get(word), "count") + 1);
  return {
    watch: (ledger) => ({
      ...ledger,
      async skipIfBarred(message, now) {
        const answer = await ledger.skipIfBarred(message, now);
        if (answer !== "owed" && !isNotNow(answer)) count("skipped");
        return answer;
      },
      async claimDot(message, ...how) {
        const answer = await ledger.claimDot(message, ...how);
        if (answer !== "dot" && !isNotNow(answer)) count("skipped");
        return answer;
      },
      async settle(message, outcome, ...how) {
        await ledger.settle(message, outcome, ...how);
        count(WORDS[outcome.state]);
      },
    }),
    family: () => ({
      name: "postrider_messages_total",
      help: "Attempts to deliver a message, by what they ended in, since this server started.",
      type: "counter",
      samples: [...counts].map(([outcome, value]) => ({ labels: { outcome }, value })),
    }),
  };
}
