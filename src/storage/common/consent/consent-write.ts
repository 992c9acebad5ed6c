import type { ConsentToLog } from "#contacts/consent/consent-entry.ts";
import type { DecisionSource } from "#core/decision-source.ts";
import type { SuppressionReason } from "#suppression/reason.ts";

/** Who gave or withdrew consent, with the address at that time. */
export type ConsentOf = {
  readonly person: { readonly id: string; readonly email: string };
  readonly entry: ConsentToLog;
};

/** A suppression to add. */
export type Suppress = {
  readonly address: string;
  readonly reason: SuppressionReason;
  readonly source: DecisionSource;
  readonly at: number;
};
