import type { DecisionSource } from "#core/decision-source.ts";
import type { SuppressionReason } from "#suppression/reason.ts";

/** A suppression that is counted. */
export type Suppressed = {
  readonly address: string;
  readonly reason: SuppressionReason;
  readonly source: DecisionSource | null;
};
